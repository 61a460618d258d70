/// One request over http or https.
public struct HTTPRequest: Sendable {
    public enum Method: Sendable, Hashable {
        case get
        case post(body: [UInt8], contentType: String)
    }

    public var method: Method
    /// An absolute http or https address, ready to be sent.
    public var url: String
    /// Lines `Name: value`, beside the content type.
    public var headers: [String]

    public init(_ method: Method, url: String, headers: [String] = []) {
        self.method = method
        self.url = url
        self.headers = headers
    }
}

public struct HTTPResponse: Sendable, Hashable {
    /// 100 ... 599
    public let status: Int
    public let body: [UInt8]

    /// 200 ... 299: the server has taken it.
    public var isSuccess: Bool { (200...299).contains(status) }

    public init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }
}
