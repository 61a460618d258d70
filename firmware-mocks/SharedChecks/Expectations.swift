internal import Transport

func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw CheckFailure(text()) }
}

func expectEqual<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: String) throws {
    try expect(actual == expected, "\(what): expected \(expected), got \(actual)")
}

/// Runs `body`, which must throw a `TransportError` with this code, and returns the error.
@discardableResult
func expectError(
    _ code: TransportError.Code, _ what: String, _ body: () async throws -> Void
) async throws -> TransportError {
    do {
        try await body()
    } catch let error as TransportError {
        try expect(error.code == code, "\(what): expected \(code.rawValue), got \(error)")
        return error
    }
    throw CheckFailure("\(what): expected \(code.rawValue), but it succeeded")
}

extension CheckSession {
    /// Sends one command and receives one reply.
    func exchange(
        _ command: [UInt8], atMost count: Int = 512, on transport: any Transport
    ) async throws -> [UInt8] {
        try await transport.send(command, until: deadline())
        return try await transport.receive(atMost: count, until: deadline())
    }

    func expectEcho(_ text: String, on transport: any Transport) async throws {
        let bytes = Array(text.utf8)
        try expectEqual(try await exchange([0x01] + bytes, on: transport), bytes, "echo")
    }
}
