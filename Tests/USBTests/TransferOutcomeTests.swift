import Testing
import Transport

@testable import USB

@Suite("How a transfer's end becomes an answer")
struct TransferOutcomeTests {
    private func outcome(
        _ end: TransferResult.End, _ reason: CancelReason? = nil, _ bytes: [UInt8] = []
    ) -> Result<[UInt8], TransportError> {
        TransferResult(end: end, actual: bytes.count, cancelReason: reason).outcome(during: "receive", bytes: bytes)
    }

    private func code(_ result: Result<[UInt8], TransportError>) -> TransportError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test("a completed transfer wins over any cancel that came too late")
    func dataWins() {
        for reason: CancelReason? in [nil, .deadline, .task, .closed] {
            #expect(outcome(.status(.completed), reason, [1, 2]) == .success([1, 2]))
        }
    }

    @Test("a cancelled task still gets the bytes that had arrived")
    func partialForTask() {
        #expect(outcome(.status(.cancelled), .task, [7]) == .success([7]))
        #expect(code(outcome(.status(.cancelled), .task)) == .cancelled)
    }

    @Test("a time-out carries the bytes that had arrived")
    func partialForDeadline() {
        #expect(
            outcome(.status(.cancelled), .deadline, [7])
                == .failure(TransportError(.timedOut, during: "receive", partial: [7])))
    }

    @Test("each status has one code")
    func codes() {
        #expect(code(outcome(.status(.stalled))) == .stalled)
        #expect(code(outcome(.status(.noDevice))) == .gone)
        #expect(code(outcome(.status(.overflow))) == .overflow)
        #expect(code(outcome(.status(TransferStatus(code: 1)))) == .failed)
        #expect(code(outcome(.status(.cancelled))) == .failed)
        #expect(code(outcome(.status(.cancelled), .closed)) == .closed)
        #expect(code(outcome(.neverStarted, .closed)) == .closed)
        #expect(code(outcome(.notSubmitted(.noDevice))) == .gone)
    }

    @Test(
        "libusb's names are kept, and NO_DEVICE is never merged with IO",
        arguments: [
            (-1, "LIBUSB_ERROR_IO", TransportError.Code.failed), (-2, "LIBUSB_ERROR_INVALID_PARAM", .failed),
            (-3, "LIBUSB_ERROR_ACCESS", .denied), (-4, "LIBUSB_ERROR_NO_DEVICE", .gone),
            (-5, "LIBUSB_ERROR_NOT_FOUND", .failed), (-6, "LIBUSB_ERROR_BUSY", .busy),
            (-7, "LIBUSB_ERROR_TIMEOUT", .timedOut), (-8, "LIBUSB_ERROR_OVERFLOW", .overflow),
            (-9, "LIBUSB_ERROR_PIPE", .stalled), (-10, "LIBUSB_ERROR_INTERRUPTED", .failed),
            (-11, "LIBUSB_ERROR_NO_MEM", .failed), (-12, "LIBUSB_ERROR_NOT_SUPPORTED", .unsupported),
            (-99, "LIBUSB_ERROR_OTHER", .failed), (-42, "LIBUSB_ERROR_-42", .failed),
        ] as [(Int32, String, TransportError.Code)])
    func names(code: Int32, name: String, expected: TransportError.Code) {
        let error = LibUSBError(code: code).transportError(during: "open")
        #expect(error == TransportError(expected, during: "open", underlying: name))
    }
}
