/// What a commit has survived by the time the call returns.
public enum Durability: Hashable, Sendable {
    /// The commit is on the disk (fsync): it survives a power cut. What was `written` before it does too then.
    case flushed
    /// The system has the commit: it survives the death of this process, and other processes see it. A power cut or a
    /// crash of the system can take it back, but never a part of it, and never one from before something that stays.
    case written
}
