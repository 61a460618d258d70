/// How real the hardware under a check is.
public enum Rung: Int, Sendable, Hashable, CaseIterable {
    /// A firmware core in the same process, behind the `Transport` contract.
    case inProcess = 1
    /// The unmodified libraries against a firmware process (umockdev).
    case umockdev = 2
    /// A real kernel (QEMU, USB/IP).
    case qemu = 3
}
