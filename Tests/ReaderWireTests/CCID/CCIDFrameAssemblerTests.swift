import ReaderWire
import Testing

/// Messages put together from transfers of any size.
@Suite struct CCIDFrameAssemblerTests {
    static let messages = [
        hex("80 02000000 00 01 00 00 00 9000"), hex("81 00000000 00 02 02 00 00"),
        hex("80 05000000 00 03 00 00 00 0102039000"), hex("82 07000000 00 04 00 00 01 11100045 00FE00"),
    ]

    private static func all(_ transfers: [[UInt8]]) throws -> [[UInt8]] {
        var assembler = CCIDFrameAssembler(maximumMessageLength: 271)
        var found: [[UInt8]] = []
        for transfer in transfers {
            assembler.append(transfer)
            while let message = try assembler.next() { found.append(message.bytes) }
        }
        #expect(assembler.isEmpty)
        return found
    }

    @Test("a message may be split at every byte, with an empty transfer between", arguments: messages.indices)
    func split(index: Int) throws {
        let message = Self.messages[index]
        for cut in 0...message.count {
            #expect(try Self.all([Array(message[..<cut]), [], Array(message[cut...])]) == [message])
        }
    }

    @Test("every pair of messages may come in one transfer, cut anywhere")
    func pairs() throws {
        for first in Self.messages {
            for second in Self.messages {
                let both = first + second
                for cut in 0...both.count {
                    #expect(try Self.all([Array(both[..<cut]), Array(both[cut...])]) == [first, second])
                }
            }
        }
    }

    @Test("a stated length beyond the reader's limit is refused before it is waited for, and nothing is kept")
    func tooLong() {
        var assembler = CCIDFrameAssembler(maximumMessageLength: 271)
        assembler.append(hex("80 FFFFFFFF 00 01 00 00 00"))
        #expect(throws: CCIDFrameError.tooLong(stated: 0xFFFF_FFFF, limit: 261)) { try assembler.next() }
        #expect(assembler.isEmpty)
        assembler.append(hex("80 06010000 00 01 00 00 00"))
        #expect(throws: CCIDFrameError.tooLong(stated: 262, limit: 261)) { try assembler.next() }
    }

    @Test("garbage is refused at its first byte, and the next message is read")
    func garbage() throws {
        var assembler = CCIDFrameAssembler(maximumMessageLength: 271)
        assembler.append([0x00, 0xFF])
        #expect(throws: CCIDFrameError.unknownType(0)) { try assembler.next() }
        assembler.append(Self.messages[0])
        #expect(try assembler.next()?.bytes == Self.messages[0])
    }

    @Test(
        "random bytes of 10,000 seeds into every decoder: no trap, and never more kept than one message and one transfer"
    )
    func random() {
        for seed in UInt64(0)..<10_000 {
            var generator = SeededGenerator(seed: seed)
            var assembler = CCIDFrameAssembler(maximumMessageLength: 271)
            for _ in 0..<4 {
                var bytes = generator.bytes(upTo: 300)
                // Half of them begin like a message, so that the length is looked at, too.
                if Bool.random(using: &generator), !bytes.isEmpty { bytes[0] = 0x80 }
                assembler.append(bytes)
                var rounds = 0
                while rounds < 400, let message = try? assembler.next() {
                    #expect(message.data.count <= 261)
                    rounds += 1
                }
                #expect(rounds < 400, "seed \(seed)")
                _ = try? CCIDResponse(parsing: bytes)
                _ = CCIDNotification(parsing: bytes)
                _ = CCIDClassDescriptor(parsing: bytes)
                _ = CCIDClassDescriptor.find(in: bytes)
            }
        }
    }
}
