import EMV
import FirmwareCores
import InProcessMock
import ReaderWire
import Testing

@testable import Readers

/// Encrypted data may look like anything: what is encrypted is told from what is masked by more than a glance.
@Suite struct EncryptedAccountTests {
    @Test(
        "forty cards in a row, each under a key of its own: the encrypted account is never lost",
        arguments: ["neo2", "qpos", "mpi"])
    func neverLost(family: String) async throws {
        let bed: StreamBed
        let reader: any KernelReader
        switch family {
        case "neo2":
            bed = StreamBed(try NEO2SerialCore.make())
            reader = try await NEO2Reader.open(
                bed.device.openStream(), form: .stream, model: "Mock", clock: bed.clock, until: bed.after(10))
        case "qpos":
            bed = try StreamBed.qpos()
            reader = try await bed.openQPOS()
        default:
            bed = try StreamBed.mpi()
            reader = try await bed.openMPI()
        }
        for number in 1...40 {
            bed.steer("tap visa-credit")
            let stop = try await reader.start(StreamBed.payment, prompt: bed.prompt, cardWait: bed.after(60))
            guard case .encrypted(_, let masked) = try #require(stop.reading).account else {
                Issue.record("card \(number) has no encrypted account")
                return
            }
            #expect(masked?.text == "476173******0119", "card \(number)")
            _ = try await reader.complete(StreamBed.approval, until: bed.after(30))
        }
    }

    @Test(
        "a masked number in nibbles has one kind of mask, 12 digits or more, and nothing but filler behind it",
        arguments: [
            ("476173CCCCCC0119", "476173******0119"), ("476173AAAAAA0119D3012201", "476173******0119"),
            ("679999EEEEEEEEE0018F", "679999*********0018"),
            // A key of its own for each card: one of these came second.
            ("397CAA999BD90BDF", nil), ("476173CCACCC0119", nil), ("4761CCCC0119FFFF", "4761****0119"),
            ("476CCCC119FFFFFF", nil), ("476173CCCCCC01F9", nil),
        ] as [(String, String?)])
    func nibbles(value: String, masked: String?) {
        #expect(MaskedPAN(nibbles: bytes(value))?.text == masked)
    }
}
