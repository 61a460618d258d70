import Glibc
internal import Transport

/// `struct termios2` of the kernel (asm-generic/termbits.h), which can say any speed; glibc's termios knows only the
/// usual ones. 44 bytes: four words of flags, the line discipline, 19 characters, two speeds.
struct TerminalAttributes: Hashable {
    static let size = 44
    /// _IOR('T', 0x2A, struct termios2) and _IOW('T', 0x2B, struct termios2); the macros do not reach Swift.
    private static let getRequest: UInt = 0x802C_542A
    private static let setRequest: UInt = 0x402C_542B

    private(set) var bytes: [UInt8]

    /// - Throws: ENOTTY when the descriptor is no terminal.
    init(of descriptor: Int32) throws(SystemError) {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        guard ioctl(descriptor, Self.getRequest, &bytes) == 0 else { throw .last }
        self.bytes = bytes
    }

    /// At once, without waiting for what is still to go out.
    func apply(to descriptor: Int32) throws(SystemError) {
        var copy = bytes
        while ioctl(descriptor, Self.setRequest, &copy) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }

    var inputFlags: UInt32 {
        get { word(0) }
        set { setWord(0, newValue) }
    }
    var outputFlags: UInt32 {
        get { word(4) }
        set { setWord(4, newValue) }
    }
    var controlFlags: UInt32 {
        get { word(8) }
        set { setWord(8, newValue) }
    }
    var localFlags: UInt32 {
        get { word(12) }
        set { setWord(12, newValue) }
    }
    var inputSpeed: UInt32 {
        get { word(36) }
        set { setWord(36, newValue) }
    }
    var outputSpeed: UInt32 {
        get { word(40) }
        set { setWord(40, newValue) }
    }

    func character(_ index: Int32) -> UInt8 { bytes[17 + Int(index)] }

    mutating func setCharacter(_ index: Int32, to value: UInt8) { bytes[17 + Int(index)] = value }

    private func word(_ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }

    private mutating func setWord(_ offset: Int, _ value: UInt32) {
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: UInt32.self) }
    }
}
