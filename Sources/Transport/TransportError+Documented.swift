public import StableCodes

extension TransportError.Code {
    public var sentence: String {
        switch self {
        case .gone: "The device has left: unplugged, no power, or the other end was closed."
        case .timedOut: "The device did not answer in time."
        case .cancelled: "The wait was cancelled."
        case .closed: "This side closed the link."
        case .stalled: "The device refused the transfer (USB stall)."
        case .overflow: "The device sent more than was asked for."
        case .busy: "Another program or a driver of the kernel has the device."
        case .denied: "The operating system denies access."
        case .unsupported: "The link cannot do this."
        case .failed: "The system reports another fault, by its name."
        }
    }

    public var whoActs: WhoActs {
        switch self {
        case .gone, .timedOut, .stalled, .busy, .failed: .operator
        case .cancelled: .nobody
        case .closed, .overflow: .developers
        case .denied, .unsupported: .integrator
        }
    }

    public var nextStep: String {
        switch self {
        case .gone: "Check cable and power; plug it in again."
        case .timedOut: "Plug the device out and in; check the speed of a serial line."
        case .cancelled: "None: somebody wanted it."
        case .closed: "Report it, if the program did not end meanwhile."
        case .stalled: "Plug the device out and in; if it repeats, report its model."
        case .overflow: "Report it with the model of the device."
        case .busy: "End the other program; 'readerctl probe' names it."
        case .denied: "Install the udev rules; 'readerctl probe' names the node and the group."
        case .unsupported: "Use settings that the device and its driver have."
        case .failed: "Check cable, hub and the system's log, then try again."
        }
    }
}
