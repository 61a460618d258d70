internal import Transport

/// Reads ahead: one bulk IN transfer after the other, until the connection ends.
struct InboundReader {
    let pipe: any Transport
    let chip: any SerialChip
    let inbound: InboundBytes

    /// Halts in a row that are cleared.
    private static let mostStalls = 3

    func run() async {
        let packetSize = pipe.traits.packetSize
        let size = chip.transferSize(packetSize: packetSize)
        var stalls = 0
        while await inbound.waitForRoom() {
            do throws(TransportError) {
                let transfer = try await pipe.receive(atMost: size, until: .never)
                try take(transfer, packetSize)
                stalls = 0
            } catch {
                // What came before the trouble came in whole packets.
                try? take(error.partial, packetSize)
                guard error.code == .stalled, stalls < Self.mostStalls else { return inbound.end(error.withoutBytes) }
                stalls += 1
                do throws(TransportError) {
                    try await pipe.clearStall(.receive, until: .never)
                } catch {
                    return inbound.end(error.withoutBytes)
                }
            }
        }
    }

    private func take(_ transfer: [UInt8], _ packetSize: Int) throws(TransportError) {
        do throws(SerialChipRefusal) {
            inbound.append(try chip.payload(of: transfer, packetSize: packetSize))
        } catch {
            throw TransportError(.failed, during: "receive", underlying: error.description)
        }
    }
}

extension TransportError {
    fileprivate var withoutBytes: TransportError {
        TransportError(code, during: "receive", underlying: underlying)
    }
}
