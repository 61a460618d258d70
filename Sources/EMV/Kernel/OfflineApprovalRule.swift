/// Who allows that a card is asked for a TC without the issuer, where the action codes would have it (Book 3, 10.7).
public enum OfflineApprovalRule: Sendable, Hashable {
    /// Nobody need be asked.
    case byActionCodes
    /// The owner of the kernel: it stops with `KernelStep.approveOffline` before each TC.
    case onPermission
    /// Nobody: instead of a TC the first GENERATE AC asks for an ARQC, and the second for an AAC. A terminal without a line
    /// asks for an AAC at once.
    case never
}
