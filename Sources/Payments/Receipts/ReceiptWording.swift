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

    func title(_ receipt: Receipt) -> String {
        receipt.kind == .refund ? choose("REEMBOLSO", "REFUND") : choose("VENTA", "SALE")
    }

    func verdict(_ receipt: Receipt) -> String {
        receipt.isApproved ? choose("APROBADA", "APPROVED") : choose("RECHAZADA", "DECLINED")
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
            (choose("Comercio", "Merchant"), receipt.merchantID),
            (choose("Terminal", "Terminal"), receipt.terminalID),
            (choose("Transacción", "Transaction"), receipt.transactionID),
            (choose("Venta original", "Original sale"), receipt.originalID),
            (choose("Tarjeta", "Card"), receipt.lastFour.isEmpty ? "" : "**** \(receipt.lastFour)"),
            (choose("Marca", "Brand"), receipt.cardBrand),
            (choose("Entrada", "Entry"), receipt.chip == nil ? "" : "CHIP"),
            (choose("Autorización", "Authorisation"), receipt.authorization),
            (choose("Respuesta", "Response"), receipt.responseCode),
            (choose("Referencia", "Reference"), receipt.reference),
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
