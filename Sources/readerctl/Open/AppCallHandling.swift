import AppToApp
import Configuration
import Ledger
import Money
import Payments

/// One request of another app, from its checks over the payment to the reply.
struct AppCallHandling: Sendable {
    /// What goes to standard output.
    enum Output: Sendable {
        /// What the payment came to, as `sale` and `refund` show it; the reply is delivered.
        case text, json
        /// The reply's URL, which is not delivered.
        case replyURL
    }

    let call: AppCall
    let settings: AppToAppSettings
    let installation: Installation
    let console: Console
    let output: Output
    /// The file of the photo for a sale.
    let photo: String?

    func run(at desk: PaymentDesk) async throws(CommandFailure) -> ExitStatus {
        let request: AppRequest
        let received: ReceivedPhoto?
        do throws(AppProblem) {
            request = try call.request.get()
            if let objection = settings.objection(to: request, now: SystemWallClock().nowMilliseconds()) {
                throw objection
            }
            received = try receivePhoto(for: request)
        } catch {
            return await refuse(error)
        }
        showBanner()
        let (printer, sender) = (PaymentPrinter(console: console, json: output == .json), replySender)
        let finish: (PaymentResult, Ledger) async -> ExitStatus = { result, ledger in
            await record(result.response, received, in: ledger)
            let status = output == .replyURL ? printer.showFailure(result) : printer.show(result)
            await sender.send(AppReply(result.response, to: call), about: result.response.transactionID, ledger)
            return status
        }
        let pending = PendingReplies(installation: installation, console: console)
        let settled: ([String]) async -> Void = { await pending.offer($0, settings) }
        switch request.operation {
        case .sale(let sale):
            return try await desk.sale(sale.request, at: installation, finish: finish, settled: settled)
        case .refund(let refund):
            return try await desk.refund(refund, at: installation, finish: finish, settled: settled)
        }
    }

    /// Before anything about the payment; 0 seconds turn it off.
    private func showBanner() {
        let banner = installation.configuration.banner
        if banner.seconds > 0, !banner.text.isEmpty { console.note(banner.text.printable()) }
    }

    private var replySender: ReplySender {
        ReplySender(
            settings: settings, installation: installation, console: console, address: call.replyAddress,
            isPrinting: output == .replyURL)
    }

    // MARK: Without a payment

    /// Tells the caller why nothing is done.
    func refuse(_ problem: AppProblem) async -> ExitStatus {
        console.error(problem.sentence)
        var response = PaymentResponse(outcome: .failed)
        response.statusInfo = problem.statusInfo
        response.amount = call.echo[.amount].flatMap { try? Amount(parsing: $0, currency: .mxn) }
        response.tip = call.echo[.tip].flatMap { try? Amount(parsing: $0, currency: .mxn) }
        response.identifier = call.echo[.identifier] ?? ""
        response.reference = call.echo[.reference] ?? ""
        response.email = call.echo[.email] ?? ""
        response.phone = call.echo[.phone] ?? ""
        let printer = PaymentPrinter(console: console, json: output == .json)
        if output != .replyURL { printer.print(response) }
        await replySender.send(AppReply(problem, to: call), about: "", nil)
        return ExitStatus(problem)
    }

    // MARK: The photo and the journal

    private func receivePhoto(for request: AppRequest) throws(AppProblem) -> ReceivedPhoto? {
        var (isOffered, isMandatory) = (false, false)
        if case .sale(let sale) = request.operation {
            (isOffered, isMandatory) = (sale.showPhotoButton, sale.mandatoryPhoto)
        }
        guard let photo else {
            guard isMandatory else { return nil }
            throw AppProblem(.rule, .photoRequired, "The request demands a photo: give it with --photo FILE.")
        }
        guard isOffered else {
            throw AppProblem(
                .invalidRequest, .invalidField("showPhotoButton"),
                "The request does not ask for a photo (showPhotoButton=true): leave --photo out.")
        }
        do throws(PhotoProblem) {
            return try PhotoStore(directory: installation.dataDirectory + "/photos").receive(fileAt: photo)
        } catch {
            if case .notStored = error { throw AppProblem(.storage, .storageFailed, error.description) }
            throw AppProblem(
                .invalidRequest, isMandatory ? .photoRequired : .invalidField("showPhotoButton"), error.description)
        }
    }

    /// What the journal should know beside the payment itself.
    private func record(_ response: PaymentResponse, _ photo: ReceivedPhoto?, in ledger: Ledger) async {
        var remarks: [String] = []
        if case .success(let request) = call.request, case .sale(let sale) = request.operation, sale.comesFromQR {
            remarks.append("comesFromQR")
        }
        if !call.ignored.isEmpty { remarks.append("ignored: " + call.ignored.joined(separator: ", ")) }
        if let photo, let remark = keep(photo, for: response) { remarks.append(remark) }
        guard !response.transactionID.isEmpty, !remarks.isEmpty else { return }
        do throws(LedgerError) {
            try await ledger.note(
                response.transactionID, detail: "app request: " + remarks.joined(separator: "; "),
                at: SystemWallClock().nowMilliseconds())
        } catch {
            console.note("A remark could not be added to the journal: \(error.sentence)")
        }
    }

    /// A photo stays with a sale that was made, or may have been.
    private func keep(_ photo: ReceivedPhoto, for response: PaymentResponse) -> String? {
        do throws(StorageFailure) {
            guard !response.transactionID.isEmpty, [.approved, .unknown].contains(response.outcome) else {
                try photo.discard()
                return nil
            }
            try photo.attach(to: response.transactionID)
            return "photo stored"
        } catch {
            console.error("The photo could not be stored under the sale: \(error).")
            return "photo not stored"
        }
    }
}

extension ExitStatus {
    init(_ problem: AppProblem) {
        switch problem.kind {
        case .malformedURL: self = .malformedInput
        case .invalidRequest: self = .usage
        case .rule: self = .refusedByRule
        case .storage: self = .internalError
        }
    }
}
