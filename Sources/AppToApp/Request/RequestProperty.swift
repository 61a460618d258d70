/// One property of a request, as the vendor's documents list it.
struct RequestProperty: Sendable {
    enum Need: Sendable {
        case required, optional
        /// Not applicable: whatever it holds is ignored, and its name recorded.
        case ignored
    }

    enum Form: Sendable {
        /// `venta` or `devolucion`.
        case operation
        case token
        /// 1 to so many Unicode scalars.
        case text(atMost: Int)
        case amount
        /// A reply address of 1 to so many Unicode scalars.
        case address(atMost: Int)
        /// Months without interest.
        case months
        /// `true` or `false`.
        case boolean
    }

    let name: String
    let form: Form
    let inSale: Need
    let inRefund: Need
    /// Names of old samples, read when the name itself is absent.
    var aliases: [String] = []

    /// The table that drives all validation; problems are told in its order.
    static let table = [
        RequestProperty(name: "transaction", form: .operation, inSale: .required, inRefund: .required),
        RequestProperty(name: "usertoken", form: .token, inSale: .required, inRefund: .required),
        RequestProperty(name: "identifier", form: .text(atMost: 256), inSale: .required, inRefund: .required),
        RequestProperty(name: "amount", form: .amount, inSale: .required, inRefund: .optional),
        RequestProperty(name: "urlScheme", form: .address(atMost: 50), inSale: .required, inRefund: .required),
        RequestProperty(
            name: "transactionId", form: .text(atMost: 256), inSale: .ignored, inRefund: .required,
            aliases: ["transactionid"]),
        RequestProperty(name: "tip", form: .amount, inSale: .optional, inRefund: .ignored),
        RequestProperty(name: "msi", form: .months, inSale: .optional, inRefund: .ignored, aliases: ["payments"]),
        RequestProperty(name: "reference", form: .text(atMost: 256), inSale: .optional, inRefund: .ignored),
        RequestProperty(name: "email", form: .text(atMost: 150), inSale: .optional, inRefund: .ignored),
        RequestProperty(name: "phone", form: .text(atMost: 14), inSale: .optional, inRefund: .ignored),
        RequestProperty(name: "showPhotoButton", form: .boolean, inSale: .optional, inRefund: .ignored),
        RequestProperty(name: "mandatoryPhoto", form: .boolean, inSale: .optional, inRefund: .ignored),
        RequestProperty(name: "comesFromQR", form: .boolean, inSale: .optional, inRefund: .ignored),
    ]

    /// Keys of public apps that mean nothing here.
    static let knownWithoutMeaning = [
        "devicetoken", "isMandatoryPhoto", "isHidePrinter", "isSkipMailPrint", "isXpLandscape", "thirdPartyId",
    ]

    /// A key of old apps that asked for a PIN in the URL: never taken.
    static let refused = "pin"
}
