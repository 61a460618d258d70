/// What an issuer is told to say, instead of what its table of test amounts says.
package struct IssuerInstruction: Sendable, Hashable {
    /// Nil: by the amount.
    package var behaviour: TestAmount?
    /// With an approval of a chip, after those of the simulator's options.
    package var scripts: [IssuerScript] = []

    package init() {}
}
