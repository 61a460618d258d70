import Gateways
import Ledger
import Money

/// Whose copy it is.
public enum ReceiptCopy: String, Sendable, Hashable, CaseIterable {
    case merchant, cardholder
}

/// The words of a receipt in one language.
struct ReceiptWording: Sendable {
    let language: DisplayLanguage

    private func choose(_ spanish: String, _ english: String) -> String {
        language == .spanish ? spanish : english
    }

    /// What nobody must overlook, a line each.
    func marks(_ receipt: Receipt) -> [String] {
        receipt.isTest ? [choose("PRUEBA: NO ES UN PAGO", "TEST: NOT A PAYMENT")] : []
    }

    func title(_ receipt: Receipt) -> String {
        if receipt.voidedAt != nil { return choose("CANCELACIÓN DE VENTA", "VOID OF SALE") }
        return receipt.kind == .refund ? choose("REEMBOLSO", "REFUND") : choose("VENTA", "SALE")
    }

    /// What stands beside the line for a signature; nil when nobody signs on this copy.
    func signature(_ receipt: Receipt, _ copy: ReceiptCopy) -> String? {
        copy == .merchant && receipt.isApproved && receipt.voidedAt == nil && receipt.verification.needsSignature
            ? choose("Firma", "Signature") : nil
    }

    private func entry(_ mode: EntryMode?) -> String {
        switch mode {
        case .contactChip: "CHIP"
        case .contactlessChip: choose("SIN CONTACTO", "CONTACTLESS")
        case .magneticStripe, .fallbackStripe: choose("BANDA MAGNÉTICA", "MAGNETIC STRIPE")
        case .manual: choose("MANUAL", "KEYED")
        case nil: ""
        }
    }

    private func verification(_ verification: CardholderVerification) -> String {
        switch verification {
        case .none: ""
        case .pin: "PIN"
        case .signature: choose("FIRMA", "SIGNATURE")
        case .pinAndSignature: choose("PIN Y FIRMA", "PIN AND SIGNATURE")
        }
    }

    func verdict(_ receipt: Receipt) -> String {
        if receipt.isApprovedOffline { return choose("APROBADA SIN CONEXIÓN", "APPROVED OFFLINE") }
        return receipt.isApproved ? choose("APROBADA", "APPROVED") : choose("RECHAZADA", "DECLINED")
    }

    func copy(_ copy: ReceiptCopy) -> String {
        switch copy {
        case .merchant: choose("COPIA COMERCIO", "MERCHANT COPY")
        case .cardholder: choose("COPIA CLIENTE", "CARDHOLDER COPY")
        }
    }

    /// Label and value of each line, in order; lines without a value are left out.
    func lines(_ receipt: Receipt) -> [(label: String, value: String)] {
        let currency = receipt.amount.currency.code
        var lines = [
            (choose("Fecha", "Date"), receipt.time),
            (choose("Cancelada", "Voided"), receipt.voidedAt ?? ""),
            (choose("Comercio", "Merchant"), receipt.merchantID),
            (choose("Terminal", "Terminal"), receipt.terminalID),
            (choose("Transacción", "Transaction"), receipt.transactionID),
            (choose("Venta original", "Original sale"), receipt.originalID),
            (choose("Tarjeta", "Card"), receipt.lastFour.isEmpty ? "" : "**** \(receipt.lastFour)"),
            (choose("Marca", "Brand"), receipt.cardBrand),
            (choose("Entrada", "Entry"), entry(receipt.entryMode)),
            (choose("Verificación", "Verification"), verification(receipt.verification)),
            (choose("Autorización", "Authorisation"), receipt.authorization),
            (choose("Respuesta", "Response"), receipt.responseCode),
            (choose("Referencia", "Reference"), receipt.reference),
            (choose("Solicitado", "Asked for"), receipt.asked.map { "\($0) \(currency)" } ?? ""),
            (choose("Monto", "Amount"), "\(receipt.amount) \(currency)"),
        ]
        if !receipt.tip.isZero {
            lines.append((choose("Propina", "Tip"), "\(receipt.tip) \(currency)"))
        }
        lines.append((choose("Total", "Total"), "\(receipt.total) \(currency)"))
        if receipt.instalments != .single {
            lines.append((choose("Meses", "Months"), String(receipt.instalments.rawValue)))
        }
        if let chip = receipt.chip {
            lines += [
                (choose("Aplicación", "Application"), chip.applicationName),
                ("AID", chip.aid),
                (chip.cryptogramType, chip.cryptogram),
                ("TVR", chip.terminalVerificationResults),
                ("TSI", chip.transactionStatusInformation),
            ]
        }
        return lines.filter { !$0.1.isEmpty }
    }
}
