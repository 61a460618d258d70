public import BERTLV

/// Field 55 for the messages that every gateway knows.
public enum ChipData {
    /// Of an authorisation request. `value` looks an object up as it was when the card made its first cryptogram.
    ///
    /// Objects of their proper lengths always fit. When a card sends one so long that they do not, the result is empty:
    /// no host approves a chip's request without a cryptogram, and none sees a field that was cut.
    public static func request(_ value: (Tag) -> [UInt8]?) -> [UInt8] {
        build(.request, value)
    }

    /// Of the advice of an approval without the issuer. `value` looks an object up as it is at the end of the transaction.
    public static func advice(_ value: (Tag) -> [UInt8]?) -> [UInt8] {
        build(.advice, value)
    }

    /// Of a reversal. `value` looks an object up as it is at the end of the transaction.
    public static func reversal(_ value: (Tag) -> [UInt8]?) -> [UInt8] {
        build(.reversal, value)
    }

    private static func build(_ profile: ChipDataProfile, _ value: (Tag) -> [UInt8]?) -> [UInt8] {
        do throws(GatewayError) {
            return try profile.build(value)
        } catch {
            return []
        }
    }
}
