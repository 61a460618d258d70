import Glibc
internal import Transport

/// An errno of a call on a tty.
struct SystemError: Error, Hashable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    /// What the last call of this thread left.
    static var last: SystemError { SystemError(errno) }

    var name: String {
        switch number {
        case EACCES: "EACCES"
        case EBUSY: "EBUSY"
        case EINVAL: "EINVAL"
        case EIO: "EIO"
        case EMFILE: "EMFILE"
        case ENODEV: "ENODEV"
        case ENOENT: "ENOENT"
        case ENOTTY: "ENOTTY"
        case ENXIO: "ENXIO"
        case EPERM: "EPERM"
        default: "errno \(number)"
        }
    }

    /// A tty whose device has left answers EIO to everything that is done with it, and ENXIO or ENODEV to an open.
    var code: TransportError.Code {
        switch number {
        case EIO, ENXIO, ENODEV, ENOENT: .gone
        case EACCES, EPERM: .denied
        case EBUSY, EWOULDBLOCK: .busy
        case ENOTTY, EINVAL, EOPNOTSUPP, ENOSYS: .unsupported
        default: .failed
        }
    }

    func transportError(during operation: String) -> TransportError {
        TransportError(code, during: operation, underlying: name)
    }
}
