import AcquirerHost
import BERTLV
import EMV
import Gateways
import ISO8583
import Money
import Testing
import Transport

/// A sale that was approved without the host, told to it over TCP.
@Suite struct AdviceTests {
    /// The TC of a test card in a sale of 123.45 MXN; computed apart from this product, see SampleCard of the gateways.
    static func advice(_ attempt: String = "s1", cryptogram: [UInt8] = certificate) throws -> OfflineAdvice {
        let objects: [(BERTLV.Tag, [UInt8])] = [
            (0x9F26, cryptogram), (0x9F27, [0x40]), (0x9F10, [0x06, 0x01, 0x0A, 0x03, 0xA0, 0, 0]),
            (0x9F37, [0x11, 0x22, 0x33, 0x44]), (0x9F36, [0, 7]), (0x95, [0x80, 0, 0x04, 0x80, 0]),
            (0x9A, [0x26, 0x11, 0x30]), (0x9C, [0]), (0x9F02, [0, 0, 0, 1, 0x23, 0x45]),
            (0x9F03, [0, 0, 0, 0, 0, 0]), (0x5F2A, [0x04, 0x84]), (0x82, [0x3C, 0]), (0x9F1A, [0x04, 0x84]),
            (0x8A, Array("Y3".utf8)),
        ]
        let plain = try sale(attempt)
        let request = AuthorisationRequest(
            attempt: plain.attempt, amount: plain.amount, tip: plain.tip, account: plain.account,
            panSequenceNumber: 1, entryMode: .contactChip, chipData: objects.flatMap { encodeTLV($0.0, $0.1) },
            terminal: plain.terminal, moment: plain.moment)
        return try #require(OfflineAdvice(request, .unableToGoOnline))
    }

    static let certificate: [UInt8] = [0x79, 0xEE, 0x89, 0x71, 0xD0, 0x9C, 0x36, 0x41]

    @Test(
        "it is booked once in every profile and dress, can be asked about, refunded and taken back",
        arguments: GatewayAndHostTests.lines.indices)
    func life(index: Int) async throws {
        let bed = try HostBed(GatewayAndHostTests.lines[index])
        let first = try await bed.gateway.forward(Self.advice(), until: bed.soon())
        #expect(first.responseCode == .approved)
        #expect(first.approvedAmount == (try money(123_45)))
        #expect(first.authorisationCode?.count == 6 && first.bank == "Banco de Pruebas Uno")
        #expect(try await bed.gateway.forward(Self.advice(), until: bed.soon()) == first)
        #expect(bed.net == 123_45)
        #expect(bed.events.filter { $0.operation == .advice }.map(\.attempt) == ["s1", "s1"])
        #expect(try await bed.gateway.status(of: #require(AttemptID("s1")), until: bed.soon()) == .approved(first))
        _ = try await bed.gateway.refund(refund("r1", of: "s1", 23_45), until: bed.soon())
        #expect(bed.net == 100_00)
        _ = try await bed.gateway.reverse(reversal("r1", 23_45), until: bed.soon())
        guard case .reversed = try await bed.gateway.reverse(reversal("s1"), until: bed.soon()) else {
            Issue.record("not taken back")
            return
        }
        #expect(bed.net == 0)
        await bed.close()
    }

    @Test("after a request that was never answered it has a number of its own")
    func afterRequest() async throws {
        let bed = try HostBed()
        bed.script.add(HostFaultRule(.closeBeforeRead, on: .connection, times: 1))
        _ = try? await bed.gateway.authorise(sale("s1"), until: bed.soon())
        #expect(try await bed.gateway.forward(Self.advice(), until: bed.soon()).responseCode == .approved)
        #expect(bed.net == 123_45)
        await bed.close()
    }

    @Test("a host that does not pay for it says so")
    func refused() async throws {
        let bed = try HostBed()
        let wrong = try Self.advice(cryptogram: Self.certificate.reversed())
        let answer = try await bed.gateway.forward(wrong, until: bed.soon())
        #expect(answer.responseCode == .declined && answer.approvedAmount.isZero && bed.net == 0)
        await bed.close()
    }

    @Test("a lost answer is no answer, and the repeat is booked no more")
    func lost() async throws {
        let bed = try HostBed()
        bed.script.add(HostFaultRule(.closeAfterBooking, on: .advice, times: 1))
        let error = await #expect(throws: GatewayError.self) {
            _ = try await bed.gateway.forward(Self.advice(), until: bed.soon())
        }
        #expect(error?.moneyMayHaveMoved == true && bed.net == 123_45)
        #expect(try await bed.gateway.forward(Self.advice(), until: bed.soon()).responseCode == .approved)
        #expect(bed.net == 123_45)
        await bed.close()
    }
}
