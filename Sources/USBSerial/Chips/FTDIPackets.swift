/// The two status bytes that begin every packet of an FTDI chip. They are in each packet of a transfer, so they are taken
/// out packet by packet.
public enum FTDIPackets {
    static let statusLength = 2

    /// The line's bytes of one bulk IN transfer. A packet of exactly two bytes is the chip's sign of life: no bytes, and
    /// not the end of anything.
    ///
    /// - Parameter packetSize: wMaxPacketSize, 64 bytes, 512 at high speed.
    /// - Throws: when a packet has one byte only.
    public static func payload(of transfer: [UInt8], packetSize: Int) throws(SerialChipRefusal) -> [UInt8] {
        guard packetSize > statusLength else { throw SerialChipRefusal("FTDI packets of \(packetSize) bytes") }
        var payload: [UInt8] = []
        var start = 0
        while start < transfer.count {
            let end = min(start + packetSize, transfer.count)
            guard end - start >= statusLength else {
                throw SerialChipRefusal("the FTDI chip sent a packet without its status")
            }
            payload += transfer[(start + statusLength)..<end]
            start = end
        }
        return payload
    }
}
