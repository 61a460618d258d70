public import EMV
public import Transport

/// The person in front of the kiosk, as far as the card wants to hear from them: a screen to choose on and a PIN pad.
public protocol CardholderInterface: Sendable {
    /// Which of the applications; nil = cancelled or no answer in time.
    func choose(_ candidates: [Candidate], until deadline: Deadline) async -> Int?

    /// A PIN, taken by a pad that keeps its digits to itself.
    func enterPIN(_ request: PINRequest, until deadline: Deadline) async -> PINAnswer
}

/// A kiosk without a way to ask. The kernel asks only what the terminal's configuration offers, so this is never reached
/// there; a configuration that promises more fails safely.
public struct NoCardholderInterface: CardholderInterface {
    public init() {}

    public func choose(_ candidates: [Candidate], until deadline: Deadline) async -> Int? { nil }

    public func enterPIN(_ request: PINRequest, until deadline: Deadline) async -> PINAnswer { .padFailed }
}
