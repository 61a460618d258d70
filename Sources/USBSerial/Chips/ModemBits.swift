import Transport

extension ModemInputs {
    /// As FTDI and CP210x write it: CTS, DSR, RI, DCD in bits 4 to 7.
    init(highNibble byte: UInt8) {
        self.init(rawValue: byte >> 4)
    }
}

/// One word for each changed output, DTR first: its mask in the high byte, its level in the low one.
func outputMasks(_ outputs: ModemOutputs, changed: ModemOutputs) -> [UInt16] {
    [ModemOutputs.dtr, .rts].filter(changed.contains).map { output in
        UInt16(output.rawValue) << 8 | (outputs.contains(output) ? UInt16(output.rawValue) : 0)
    }
}
