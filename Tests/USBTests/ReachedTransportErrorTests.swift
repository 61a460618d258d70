import Testing
import Transport

@testable import USB

/// Every code of a link, by what libusb says or by how a transfer ended. A new code needs one here.
struct ReachedTransportErrorTests {
    @Test(arguments: TransportError.Code.allCases)
    func `every code is reached`(code: TransportError.Code) {
        #expect(Self.error(code)?.code == code)
    }

    /// The numbers are those of libusb.h.
    private static func error(_ code: TransportError.Code) -> TransportError? {
        switch code {
        case .gone: ended(.status(.noDevice))
        case .timedOut: ended(.status(.cancelled), .deadline)
        case .cancelled: ended(.status(.cancelled), .task)
        case .closed: ended(.neverStarted, .closed)
        case .stalled: ended(.status(.stalled))
        case .overflow: ended(.status(.overflow))
        case .busy: LibUSBError(code: -6).transportError(during: "claim")
        case .denied: LibUSBError(code: -3).transportError(during: "open")
        case .unsupported: LibUSBError(code: -12).transportError(during: "open")
        case .failed: LibUSBError(code: -1).transportError(during: "open")
        }
    }

    private static func ended(_ end: TransferResult.End, _ reason: CancelReason? = nil) -> TransportError? {
        let result = TransferResult(end: end, actual: 0, cancelReason: reason)
        guard case .failure(let error) = result.outcome(during: "receive", bytes: []) else { return nil }
        return error
    }
}
