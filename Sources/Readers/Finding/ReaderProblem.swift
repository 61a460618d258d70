public import StableCodes

/// Something wrong with a reader, and what fixes it.
public struct ReaderProblem: Sendable, Hashable {
    public enum Code: String, DocumentedCode {
        case accessDenied, held, silent, fault, unsupported, sameSerial
        /// A driver of the kernel has the interface.
        case kernelDriver
        /// ModemManager has the port, or may take it.
        case modemManager
        /// The reader answers at another speed than the one it is used at.
        case wrongSpeed
        /// A serial port where nothing has answered that is known.
        case unknownDevice
        /// It has answered because everything was asked; nobody has named it.
        case notConfigured

        /// Of the code; the problem itself has a `message` that says more.
        public var sentence: String {
            switch self {
            case .accessDenied: "The operating system denies access to the reader's node."
            case .held: "Another program has the reader."
            case .silent: "The reader does not answer."
            case .fault: "The reader reports a fault, or the link to it fails."
            case .unsupported: "The reader is of a kind that ReaderKit cannot drive."
            case .sameSerial: "Another reader has the same serial number."
            case .kernelDriver: "A driver of the kernel has the reader's interface."
            case .modemManager: "ModemManager has the serial port, or may take it."
            case .wrongSpeed: "The reader answers at another speed than the configured one."
            case .unknownDevice: "Nothing that is known has answered on this serial port."
            case .notConfigured: "The reader was found by asking every port; the configuration does not name it."
            }
        }

        public var whoActs: WhoActs {
            switch self {
            case .held, .silent, .fault, .unknownDevice: .operator
            case .accessDenied, .unsupported, .sameSerial, .kernelDriver, .modemManager, .wrongSpeed, .notConfigured:
                .integrator
            }
        }

        /// Of the code; the problem itself has a `fix` that names the node, the program or the line to write.
        public var nextStep: String {
            switch self {
            case .accessDenied: "Install the udev rules and join the group that the fix names."
            case .held: "End the program that the message names, or wait for it."
            case .silent: "Check power and cable; plug the reader out and in."
            case .fault: "Plug the reader out and in; if it stays, have it replaced."
            case .unsupported: "Use a reader of the supported list."
            case .sameSerial: "Choose between them by port, and keep each in its port."
            case .kernelDriver: "Name its serial port in 'readers.ttys', or take the driver away."
            case .modemManager: "Install the udev rules and plug in again, or stop ModemManager."
            case .wrongSpeed: "Put the line of the fix into 'readers.ttys'."
            case .unknownDevice: "If it is a reader, check power and cable, or name it in 'readers.ttys'."
            case .notConfigured: "Put the line of the fix into 'readers.ttys'."
            }
        }
    }

    public let code: Code
    public let message: String
    public let fix: String

    public init(_ code: Code, message: String, fix: String) {
        self.code = code
        self.message = message
        self.fix = fix
    }
}
