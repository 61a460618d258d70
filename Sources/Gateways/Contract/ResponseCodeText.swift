extension ResponseCode {
    /// The languages that a kiosk speaks to its cardholder.
    public enum Language: String, Sendable, Hashable, CaseIterable {
        case spanish = "es"
        case english = "en"
    }

    /// A short text for the cardholder; codes without one of their own read as a plain decline.
    public func text(in language: Language) -> String {
        let texts = Self.texts[text] ?? Self.plainDecline
        return language == .spanish ? texts.spanish : texts.english
    }

    private typealias Texts = (spanish: String, english: String)

    private static let plainDecline: Texts = ("Tarjeta declinada", "Card declined")

    private static let texts: [String: Texts] = [
        "00": ("Aprobada", "Approved"),
        "01": ("Llame a su banco", "Call your bank"),
        "02": ("Llame a su banco", "Call your bank"),
        "03": ("Comercio no válido", "Invalid merchant"),
        "04": ("Tarjeta declinada", "Card declined"),
        "05": ("Tarjeta declinada", "Card declined"),
        "07": ("Tarjeta declinada", "Card declined"),
        "08": ("Requiere identificación", "Identification required"),
        "10": ("Aprobada parcialmente", "Partially approved"),
        "12": ("Transacción no válida", "Invalid transaction"),
        "13": ("Monto no válido", "Invalid amount"),
        "14": ("Tarjeta no válida", "Invalid card"),
        "41": ("Tarjeta declinada", "Card declined"),
        "43": ("Tarjeta declinada", "Card declined"),
        "51": ("Fondos insuficientes", "Insufficient funds"),
        "54": ("Tarjeta vencida", "Expired card"),
        "55": ("NIP incorrecto", "Wrong PIN"),
        "57": ("Operación no permitida", "Transaction not permitted"),
        "58": ("Operación no permitida", "Transaction not permitted"),
        "61": ("Excede el límite", "Over the limit"),
        "62": ("Tarjeta restringida", "Restricted card"),
        "65": ("Excede el número de operaciones", "Too many transactions"),
        "75": ("Intentos de NIP excedidos", "PIN tries exceeded"),
        "91": ("Banco no disponible, intente más tarde", "Issuer unavailable, try again later"),
        "96": ("Error del sistema, intente más tarde", "System error, try again later"),
    ]
}
