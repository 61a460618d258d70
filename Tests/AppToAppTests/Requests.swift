@testable import AppToApp

/// Request URLs of tests: the parameters of a good request with changes.
enum Requests {
    static let token = "K3uW9-token-of-tests"

    static let sale: [(String, String)] = [
        ("transaction", "venta"), ("usertoken", token), ("identifier", "id-1"), ("amount", "100.00"),
        ("urlScheme", "myapp"),
    ]
    static let refund: [(String, String)] = [
        ("transaction", "devolucion"), ("usertoken", token), ("identifier", "id-2"), ("urlScheme", "myapp"),
        ("transactionId", "01M8N3RZ22PMK8CYZ1BD9NJRBF"),
    ]

    static func url(_ pairs: [(String, String)]) -> String {
        "billpocket://"
            + pairs.map { "\(PercentCoding.encode($0))=\(PercentCoding.encode($1))" }.joined(separator: "&")
    }

    /// Nil takes a parameter away; a new one is added at the end.
    static func changed(_ pairs: [(String, String)], _ key: String, _ value: String?) -> [(String, String)] {
        var changed = pairs.filter { $0.0 != key }
        if let value { changed.append((key, value)) }
        return changed
    }

    struct NoCall: Error {}

    static func read(_ pairs: [(String, String)]) throws -> AppCall { try read(url(pairs)) }

    static func read(_ text: String) throws -> AppCall {
        guard case .call(let call) = try AppCall.read(text) else { throw NoCall() }
        return call
    }

    /// The code and text of the problem; nil for a good request.
    static func problem(_ pairs: [(String, String)]) throws -> AppProblem? {
        if case .failure(let problem) = try read(pairs).request { return problem }
        return nil
    }
}

extension AppCall {
    var sale: AppSale? {
        if case .success(let request) = request, case .sale(let sale) = request.operation { return sale }
        return nil
    }

    var problem: AppProblem? {
        if case .failure(let problem) = request { return problem }
        return nil
    }
}
