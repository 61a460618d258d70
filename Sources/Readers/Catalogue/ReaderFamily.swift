/// The wire protocol that a reader speaks.
public enum ReaderFamily: String, Sendable, Hashable, CaseIterable {
    /// USB class 0B, "Device Class: Smart Card CCID" 1.1.
    case ccid
    /// ID TECH "ViVOtech2", on HID reports or a serial line.
    case neo2
    /// DSpread "M" frames.
    case qpos
    /// Miura MPI and Verifone VIPA.
    case mpi
}

/// How sure we are that a model works. Shown to users as it is.
public enum SupportClaim: String, Sendable, Hashable {
    /// The protocol is public and implemented as specified; nobody here had the device.
    case specified
    /// Read from the vendor's public host code; nobody here had the device.
    case vendorHostCode = "from vendor's public host code"
    /// A person ran it on the real device.
    case testedOnHardware = "tested on hardware"
}
