import Glibc
internal import Transport

extension ModemLines {
    /// From TIOCMGET.
    init(kernelBits bits: Int32) {
        self.init()
        for (bit, output) in ModemOutputs.kernel where bits & bit != 0 { outputs.insert(output) }
        for (bit, input) in Self.kernelInputs where bits & bit != 0 { inputs.insert(input) }
    }

    private static let kernelInputs: [(Int32, ModemInputs)] = [
        (Int32(TIOCM_CTS), .cts), (Int32(TIOCM_DSR), .dsr), (Int32(TIOCM_RNG), .ri), (Int32(TIOCM_CAR), .dcd),
    ]
}

extension ModemOutputs {
    static let kernel: [(Int32, ModemOutputs)] = [(Int32(TIOCM_DTR), .dtr), (Int32(TIOCM_RTS), .rts)]

    /// For TIOCMBIS and TIOCMBIC.
    var kernelBits: Int32 {
        Self.kernel.reduce(0) { contains($1.1) ? $0 | $1.0 : $0 }
    }
}
