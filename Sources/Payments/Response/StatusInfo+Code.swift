public import StableCodes

extension StatusInfo {
    /// The catalogue: every code that a caller's `statusinfo` can stand for, with its Spanish text. An approval has none.
    public enum Code: String, DocumentedCode {
        case cancelled, missingField, invalidField, invalidToken, readerMissing, readerUnusable, readerLost
        case cardRemoved, cardFault, cardNotAccepted, expired, photoRequired, msiMinimum, busy, duplicate
        case notFound, notApproved, tooSoon, tooLate, tooMuch, unknown, reversed, reversedReaderLost
        case interrupted, declinedByOperator, issuerDeclined, cardDeclined, hostError, storageFailed
        case notConfigured

        /// The text as it goes out. What stands in braces is filled in.
        public var template: String {
            switch self {
            case .cancelled: "La transacción fue cancelada"
            case .missingField: "Falta el parámetro {clave}"
            case .invalidField: "El parámetro {clave} no es válido"
            case .invalidToken: "El usertoken no es válido"
            case .readerMissing: "No hay un lector compatible conectado"
            case .readerUnusable: "El lector no se puede usar"
            case .readerLost: "Se perdió la conexión con el lector"
            case .cardRemoved: "La tarjeta se retiró antes de tiempo"
            case .cardFault: "La tarjeta no respondió correctamente"
            case .cardNotAccepted: "La tarjeta no es aceptada"
            case .expired: "Se agotó el tiempo de la transacción"
            case .photoRequired: "La foto es obligatoria"
            case .msiMinimum: "El monto no alcanza el mínimo para {n} meses"
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
            case .issuerDeclined: "{código} {texto}"
            case .cardDeclined: "La tarjeta rechazó la transacción"
            case .hostError: "Error del procesador {código}"
            case .storageFailed: "No se pudo registrar la transacción"
            case .notConfigured: "El equipo no está bien configurado"
            }
        }

        /// The caller's `result`.
        public var result: String {
            switch self {
            case .issuerDeclined, .cardDeclined, .declinedByOperator: PaymentOutcome.declined.result
            case .cancelled, .missingField, .invalidField, .invalidToken, .readerMissing, .readerUnusable,
                .readerLost, .cardRemoved, .cardFault, .cardNotAccepted, .expired, .photoRequired, .msiMinimum,
                .busy, .duplicate, .notFound, .notApproved, .tooSoon, .tooLate, .tooMuch, .unknown, .reversed,
                .reversedReaderLost, .interrupted, .hostError, .storageFailed, .notConfigured:
                PaymentOutcome.failed.result
            }
        }

        public var sentence: String {
            switch self {
            case .cancelled: "The payer or the operator cancelled before the issuer was asked."
            case .missingField: "A required parameter of the request is missing or empty."
            case .invalidField: "A parameter of the request is not of its form, or is out of its range."
            case .invalidToken: "The user token of the request is unknown or has expired."
            case .readerMissing: "No supported reader is plugged in."
            case .readerUnusable: "A reader is there but cannot be used."
            case .readerLost: "The reader left, or stopped answering, before the authorisation."
            case .cardRemoved: "The card was taken out before the authorisation."
            case .cardFault: "The card does not answer, or breaks the rules."
            case .cardNotAccepted: "The card is blocked, or has no application that this kiosk takes."
            case .expired: "No card came in time."
            case .photoRequired: "The request demands a photo, and none came, or the file is none."
            case .msiMinimum: "The total is below the minimum of the plan of months without interest."
            case .busy: "Another program has the reader."
            case .duplicate: "The identifier was used before for other data."
            case .notFound: "There is no sale with this id."
            case .notApproved: "The sale is not approved: there is nothing to refund."
            case .tooSoon: "A sale can be refunded one minute after its approval."
            case .tooLate: "A sale can be refunded on its own day before 23:00 in Mexico City."
            case .tooMuch: "The amount is more than what is left to refund."
            case .unknown: "Nobody knows yet whether money has moved."
            case .reversed: "The issuer approved, but the payment did not come about: the money was given back."
            case .reversedReaderLost: "The same, because the reader was lost."
            case .interrupted: "The program ended before the issuer was asked: no money moved."
            case .declinedByOperator: "A person has found out that the issuer had declined."
            case .issuerDeclined: "The issuer declined; its response code and short text."
            case .cardDeclined: "The card declined without the issuer being asked."
            case .hostError: "The host could not be asked: no money moved. The code is one of the line to the acquirer."
            case .storageFailed:
                "The ledger, or the system's cryptographic library, does not work: no payment was begun."
            case .notConfigured: "The kiosk's own configuration cannot be used; nothing was begun."
            }
        }

        public var whoActs: WhoActs {
            switch self {
            case .cancelled, .cardRemoved, .cardFault, .cardNotAccepted, .expired, .msiMinimum, .reversed,
                .declinedByOperator, .issuerDeclined, .cardDeclined:
                .payer
            case .missingField, .invalidField, .invalidToken, .duplicate, .notFound, .notApproved,
                .notConfigured:
                .integrator
            case .readerMissing, .readerUnusable, .readerLost, .photoRequired, .busy, .tooSoon, .tooMuch,
                .unknown, .reversedReaderLost, .interrupted, .hostError, .storageFailed:
                .operator
            case .tooLate:
                .acquirer
            }
        }

        public var nextStep: String {
            switch self {
            case .cancelled: "Start again when ready."
            case .missingField: "Send the parameter."
            case .invalidField: "Correct the value; standard error says what is expected."
            case .invalidToken: "Send the token of the file 'userToken.userTokenFile', or renew it."
            case .readerMissing: "Plug one in and run 'readerctl probe'."
            case .readerUnusable: "Run 'readerctl probe': every problem names its fix."
            case .readerLost: "Check the cable and the power, then start again."
            case .cardRemoved: "Start again and leave the card in until told to remove it."
            case .cardFault: "Use another card."
            case .cardNotAccepted: "Use another card."
            case .expired: "Start again and insert the card."
            case .photoRequired: "Take the photo and send it with the request."
            case .msiMinimum: "Choose fewer months, or none."
            case .busy: "Wait for the other payment, or end the other program."
            case .duplicate: "Give each payment an identifier of its own."
            case .notFound: "Send the 'transactionid' of the sale's reply."
            case .notApproved: "Look at the sale with 'readerctl transaction ID'."
            case .tooSoon: "Try again in a moment."
            case .tooLate: "Ask the acquirer to return the money."
            case .tooMuch: "Refund a smaller amount."
            case .unknown: "Run 'readerctl resolve'; do not take the payment again by hand before."
            case .reversed: "Pay again."
            case .reversedReaderLost: "Check the cable and the power of the reader, then start again."
            case .interrupted: "Start again, with another identifier."
            case .declinedByOperator: "Use another card."
            case .issuerDeclined: "Use another card, or ask the bank."
            case .cardDeclined: "Use another card."
            case .hostError: "Look up the number below; standard error says more."
            case .storageFailed: "Standard error says what to do; look for free space and the directory's rights."
            case .notConfigured: "Run 'readerctl config check'."
            }
        }

        /// The text with these in place of what stands in braces, from left to right.
        func text(_ values: String...) -> String {
            var (text, rest) = ("", Substring(template))
            for value in values {
                guard let begin = rest.firstIndex(of: "{"), let end = rest.firstIndex(of: "}") else { break }
                text += rest[..<begin] + value
                rest = rest[rest.index(after: end)...]
            }
            return text + rest
        }
    }
}
