import Gateways
import Payments
import Testing

@Suite struct StatusInfoTests {
    @Test(
        "the catalogue of statusinfo is this",
        arguments: [
            (.none, "", ""), (.cancelled, "cancelled", "La transacción fue cancelada"),
            (.missingField("amount"), "missingField", "Falta el parámetro amount"),
            (.invalidField("tip"), "invalidField", "El parámetro tip no es válido"),
            (.invalidToken, "invalidToken", "El usertoken no es válido"),
            (.readerMissing, "readerMissing", "No hay un lector compatible conectado"),
            (.readerLost, "readerLost", "Se perdió la conexión con el lector"),
            (.expired, "expired", "Se agotó el tiempo de la transacción"),
            (.photoRequired, "photoRequired", "La foto es obligatoria"),
            (.msiMinimum(months: 6), "msiMinimum", "El monto no alcanza el mínimo para 6 meses"),
            (.busy, "busy", "Hay otra transacción en curso"),
            (.duplicate, "duplicate", "El identifier ya se usó con otros datos"),
            (.notFound, "notFound", "La transacción original no existe"),
            (.notApproved, "notApproved", "La transacción original no está aprobada"),
            (.tooSoon, "tooSoon", "Debe pasar al menos 1 minuto desde la aprobación"),
            (.tooLate, "tooLate", "El reembolso sólo es posible el mismo día antes de las 23:00"),
            (.tooMuch, "tooMuch", "El monto excede el monto reembolsable"),
            (.unknown, "unknown", "Resultado desconocido, en verificación"),
            (.hostError(.notSent), "hostError", "Error del procesador 6001"),
            // Those below are this product's own.
            (.readerUnusable, "readerUnusable", "El lector no se puede usar"),
            (.cardRemoved, "cardRemoved", "La tarjeta se retiró antes de tiempo"),
            (.cardFault, "cardFault", "La tarjeta no respondió correctamente"),
            (.cardNotAccepted, "cardNotAccepted", "La tarjeta no es aceptada"),
            (.cardDeclined, "cardDeclined", "La tarjeta rechazó la transacción"),
            (.reversed, "reversed", "La transacción fue revertida"),
            (.reversedReaderLost, "reversedReaderLost", "La transacción fue revertida"),
            (.interrupted, "interrupted", "La transacción se interrumpió antes de la autorización"),
            (.declinedByOperator, "declinedByOperator", "La transacción fue rechazada"),
            (.storageFailed, "storageFailed", "No se pudo registrar la transacción"),
            (.notConfigured, "notConfigured", "El equipo no está bien configurado"),
            (.issuerDeclined(code: "51", text: "Fondos insuficientes"), "issuerDeclined", "51 Fondos insuficientes"),
        ] as [(StatusInfo, String, String)])
    func catalogue(info: StatusInfo, code: String, text: String) {
        #expect(info.code == code)
        #expect(info.text == text)
    }
}
