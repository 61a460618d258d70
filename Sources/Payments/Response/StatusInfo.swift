/// The `statusinfo` catalogue: stable codes, each with the Spanish text that goes out in a reply.
public enum StatusInfo: Sendable, Hashable {
    /// Approved: the text is empty.
    case none
    case cancelled
    case missingField(String)
    case invalidField(String)
    /// The user token of a request by URL is unknown or has expired.
    case invalidToken
    case readerMissing
    case readerUnusable
    case readerLost
    case cardRemoved
    case cardFault
    case cardNotAccepted
    case expired
    /// A photo was asked for and none was given.
    case photoRequired
    /// The amount is too small for so many months without interest.
    case msiMinimum(months: Int)
    case busy
    /// The identifier has been used for another payment.
    case duplicate
    case notFound
    case notApproved
    case tooSoon
    case tooLate
    case tooMuch
    case unknown
    case reversed
    /// The same, when the cause was the loss of the reader.
    case reversedReaderLost
    /// The program ended before the issuer was asked; found by a later run.
    case interrupted
    /// A person found out that the issuer had declined.
    case declinedByOperator
    /// The issuer's response code and its short text.
    case issuerDeclined(code: String, text: String)
    /// The card declined without the issuer being asked.
    case cardDeclined
    /// Error of the processor; no money moved.
    case hostError(String)
    /// The ledger could not promise to remember the payment, so none was started.
    case storageFailed
    /// The kiosk's own configuration cannot be used; nothing was begun.
    case notConfigured

    /// The stable name, as stored in the ledger.
    public var code: String {
        switch self {
        case .none: ""
        case .cancelled: "cancelled"
        case .missingField: "missingField"
        case .invalidField: "invalidField"
        case .invalidToken: "invalidToken"
        case .readerMissing: "readerMissing"
        case .readerUnusable: "readerUnusable"
        case .readerLost: "readerLost"
        case .cardRemoved: "cardRemoved"
        case .cardFault: "cardFault"
        case .cardNotAccepted: "cardNotAccepted"
        case .expired: "expired"
        case .photoRequired: "photoRequired"
        case .msiMinimum: "msiMinimum"
        case .busy: "busy"
        case .duplicate: "duplicate"
        case .notFound: "notFound"
        case .notApproved: "notApproved"
        case .tooSoon: "tooSoon"
        case .tooLate: "tooLate"
        case .tooMuch: "tooMuch"
        case .unknown: "unknown"
        case .reversed: "reversed"
        case .reversedReaderLost: "reversedReaderLost"
        case .interrupted: "interrupted"
        case .declinedByOperator: "declinedByOperator"
        case .issuerDeclined: "issuerDeclined"
        case .cardDeclined: "cardDeclined"
        case .hostError: "hostError"
        case .storageFailed: "storageFailed"
        case .notConfigured: "notConfigured"
        }
    }

    /// What the caller's `statusinfo` says.
    public var text: String {
        switch self {
        case .none: ""
        case .cancelled: "La transacción fue cancelada"
        case .missingField(let key): "Falta el parámetro \(key)"
        case .invalidField(let key): "El parámetro \(key) no es válido"
        case .invalidToken: "El usertoken no es válido"
        case .readerMissing: "No hay un lector compatible conectado"
        case .readerUnusable: "El lector no se puede usar"
        case .readerLost: "Se perdió la conexión con el lector"
        case .cardRemoved: "La tarjeta se retiró antes de tiempo"
        case .cardFault: "La tarjeta no respondió correctamente"
        case .cardNotAccepted: "La tarjeta no es aceptada"
        case .expired: "Se agotó el tiempo de la transacción"
        case .photoRequired: "La foto es obligatoria"
        case .msiMinimum(let months): "El monto no alcanza el mínimo para \(months) meses"
        case .busy: "Hay otra transacción en curso"
        case .duplicate: "El identifier ya se usó con otros datos"
        case .notFound: "La transacción original no existe"
        case .notApproved: "La transacción original no está aprobada"
        case .tooSoon: "Debe pasar al menos 1 minuto desde la aprobación"
        case .tooLate: "El reembolso sólo es posible el mismo día antes de las 23:00"
        case .tooMuch: "El monto excede el monto reembolsable"
        case .unknown: "Resultado desconocido, en verificación"
        case .reversed, .reversedReaderLost: "La transacción fue revertida"
        case .interrupted: "La transacción se interrumpió antes de la autorización"
        case .declinedByOperator: "La transacción fue rechazada"
        case .issuerDeclined(let code, let text): "\(code) \(text)"
        case .cardDeclined: "La tarjeta rechazó la transacción"
        case .hostError(let code): "Error del procesador \(code)"
        case .storageFailed: "No se pudo registrar la transacción"
        case .notConfigured: "El equipo no está bien configurado"
        }
    }
}
