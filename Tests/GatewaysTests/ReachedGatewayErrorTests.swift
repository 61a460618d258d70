import Gateways
import Testing
import Transport

/// Every code of a gateway, by what brings it about. A new code needs a scenario here.
@Suite struct ReachedGatewayErrorTests {
    @Test("every code is reached", arguments: GatewayError.Code.allCases)
    func reached(code: GatewayError.Code) async throws {
        let host = try SimulatedHost()
        let error: GatewayError?
        switch code {
        case .notSent:
            error = await failure(of: host.gateway, try SampleRequest.stripe("20.00"), Deadline(host.clock.now()))
        case .noAnswer:
            // The table of test amounts: booked, and never answered.
            error = await failure(of: host.gateway, try SampleRequest.stripe("190.00"), host.soon)
        case .cancelled:
            let (gateway, deadline, request) = (host.gateway, host.soon, try SampleRequest.stripe("20.00"))
            error = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await failure(of: gateway, request, deadline)
            }.value
        case .badRequest:
            error = await failure(of: host.gateway, try SampleRequest.stripe("20.00", tip: "20.01"), host.soon)
        }
        #expect(error?.code == code)
    }

    private func failure(
        of gateway: any Gateway, _ request: AuthorisationRequest, _ deadline: Deadline
    ) async -> GatewayError? {
        do throws(GatewayError) {
            _ = try await gateway.authorise(request, until: deadline)
            return nil
        } catch {
            return error
        }
    }
}
