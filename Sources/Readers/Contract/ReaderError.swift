public import StableCodes
public import Transport

/// Something technical went wrong with a reader or with the card in it. Equality is on the code. Never carries card data.
public struct ReaderError: Error, Sendable {
    /// What happened. The thousands of `number` say where: 1 whoever calls ReaderKit, 2 the person at the kiosk, 3 the
    /// link to the reader, 4 the device, 5 ReaderKit.
    public enum Code: String, NumberedCode {
        /// Several readers are plugged in and none was chosen. Since 0.1.
        case ambiguous

        /// No card came in time. Since 0.1.
        case cardNotInserted
        /// The card was taken out during the dialogue. Since 0.1.
        case cardRemoved
        /// The card does not answer to reset. Since 0.1.
        case cardMute
        /// The card's ATR or protocol cannot be used. Since 0.1.
        case cardUnusable
        /// The operation was cancelled by its caller. Since 0.1.
        case cancelled

        /// No such reader is plugged in. Since 0.1.
        case notFound
        /// The operating system denies access to the reader's node. Since 0.1.
        case accessDenied
        /// Another program, or another operation of this one, has the reader. Since 0.1.
        case busy
        /// The reader has left. It ends the session. Since 0.1.
        case gone
        /// The reader did not answer in time. Since 0.1.
        case silent
        /// The reader answered something that its protocol does not allow. Since 0.1.
        case protocolViolation
        /// The link failed in another way. Since 0.1.
        case linkFailed

        /// The reader reports a fault of its own. Since 0.1.
        case hardwareFault
        /// The reader is of a kind that ReaderKit cannot drive. Since 0.1.
        case unsupported

        /// The session was closed by this side. Since 0.1.
        case closed

        /// The stable number of the code.
        public var number: Int {
            switch self {
            case .ambiguous: 1001
            case .cardNotInserted: 2001
            case .cardRemoved: 2002
            case .cardMute: 2003
            case .cardUnusable: 2004
            case .cancelled: 2005
            case .notFound: 3001
            case .accessDenied: 3002
            case .busy: 3003
            case .gone: 3004
            case .silent: 3005
            case .protocolViolation: 3006
            case .linkFailed: 3007
            case .hardwareFault: 4001
            case .unsupported: 4002
            case .closed: 5001
            }
        }

        public var sentence: String {
            switch self {
            case .ambiguous: "More than one card reader is plugged in."
            case .cardNotInserted: "No card was inserted in time."
            case .cardRemoved: "The card was removed too early."
            case .cardMute: "The card does not answer."
            case .cardUnusable: "The card cannot be used in this reader."
            case .cancelled: "The operation was cancelled."
            case .notFound: "No card reader was found."
            case .accessDenied: "Access to the card reader is denied."
            case .busy: "The card reader is in use."
            case .gone: "The connection to the card reader was lost."
            case .silent: "The card reader does not answer."
            case .protocolViolation: "The card reader sent something unexpected."
            case .linkFailed: "The link to the card reader failed."
            case .hardwareFault: "The card reader reports a fault."
            case .unsupported: "The card reader is not supported."
            case .closed: "The card reader was closed."
            }
        }

        public var whoActs: WhoActs {
            switch self {
            case .ambiguous, .accessDenied, .unsupported: .integrator
            case .cardNotInserted, .cardRemoved, .cardMute, .cardUnusable, .cancelled: .payer
            case .notFound, .busy, .gone, .silent, .protocolViolation, .linkFailed, .hardwareFault: .operator
            case .closed: .developers
            }
        }

        public var nextStep: String {
            switch self {
            case .ambiguous: "Choose one with --reader; 'readerctl probe' lists their ids."
            case .cardNotInserted: "Start again and insert the card."
            case .cardRemoved: "Insert the card again and leave it until told to remove it."
            case .cardMute: "Check that the chip faces the contacts, clean the card, or use another one."
            case .cardUnusable: "Use another card."
            case .cancelled: "Start again when ready."
            case .notFound: "Plug in a supported reader and run 'readerctl probe'."
            case .accessDenied: "Run 'readerctl probe': it names the node, its owner and the command that fixes it."
            case .busy: "End the other program, or wait for it, and try again."
            case .gone: "Check the cable and the power; plug the reader in again."
            case .silent: "Plug the reader out and in again; if it stays silent, run 'readerctl probe'."
            case .protocolViolation: "Try again; if it repeats, plug the reader out and in and report the model."
            case .linkFailed: "Check the cable and the hub, then try again."
            case .hardwareFault: "Plug the reader out and in again; if it stays, have it replaced."
            case .unsupported: "Run 'readerctl probe' to see what was found, or use a reader of the supported list."
            case .closed: "Open the reader again; if the program that reports it did not close it, report it."
            }
        }
    }

    public let code: Code
    /// What was being done: "powering the card on", "sending a command", …
    public let operation: String
    /// Details for a log: status bytes and names, never payload.
    public let detail: String?
    /// What the link said, if it was the link.
    public let cause: TransportError?

    public init(_ code: Code, during operation: String, detail: String? = nil, cause: TransportError? = nil) {
        self.code = code
        self.operation = operation
        self.detail = detail
        self.cause = cause
    }

    /// A link error in the words of a reader. "Gone" stays "gone".
    public init(_ cause: TransportError, during operation: String) {
        let code: Code =
            switch cause.code {
            case .gone: .gone
            case .timedOut: .silent
            case .cancelled: .cancelled
            case .closed: .closed
            case .busy: .busy
            case .denied: .accessDenied
            case .unsupported: .unsupported
            case .stalled, .overflow: .protocolViolation
            case .failed: .linkFailed
            }
        self.init(code, during: operation, detail: cause.description, cause: cause)
    }
}

extension ReaderError: Equatable {
    public static func == (left: ReaderError, right: ReaderError) -> Bool { left.code == right.code }
}

extension ReaderError: CustomStringConvertible {
    public var description: String {
        let more = detail.map { " [\($0)]" } ?? ""
        return "\(code.sentence) (\(code.number), \(operation))\(more)"
    }
}
