/// Picks the one reader that a command is about.
public enum ReaderChoice {
    /// Why there is not exactly one.
    public enum Failure: Error, Sendable, Hashable {
        case none
        case noSuch(String, present: [String])
        case several([String])

        public var sentence: String {
            switch self {
            case .none:
                "No card reader was found. Plug in a supported reader and run 'readerctl probe', or try "
                    + "'--simulate visa-credit'."
            case .noSuch(let id, let present):
                "There is no reader '\(id)'. Present: \(present.isEmpty ? "none" : present.joined(separator: ", "))."
            case .several(let ids):
                "More than one reader is plugged in; choose one with --reader: \(ids.joined(separator: ", "))."
            }
        }
    }

    /// The same, as an error of the reader that nobody has; its detail is the sentence.
    public static func choosing(_ id: String?, from present: [FoundReader]) throws(ReaderError) -> FoundReader {
        do throws(Failure) {
            return try choose(id, from: present)
        } catch {
            let code: ReaderError.Code =
                switch error {
                case .none, .noSuch: .notFound
                case .several: .ambiguous
                }
            throw ReaderError(code, during: "choosing the reader", detail: error.sentence)
        }
    }

    /// - Parameter id: nil = the only one.
    public static func choose(_ id: String?, from present: [FoundReader]) throws(Failure) -> FoundReader {
        if let id {
            let names: (FoundReader) -> [String?] = { [$0.id, $0.port, $0.node, $0.line?.tty, $0.line?.usbNode] }
            guard let match = present.first(where: { names($0).contains(id) }) else {
                throw .noSuch(id, present: present.map(\.id))
            }
            return match
        }
        guard let first = present.first else { throw .none }
        guard present.count == 1 else { throw .several(present.map(\.id)) }
        return first
    }
}
