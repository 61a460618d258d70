import BERTLV

/// GET DATA (Book 3, 6.5.7): one primitive object by its tag.
enum GetData {
    static func command(_ tag: Tag) -> CommandAPDU {
        CommandAPDU(
            cla: 0x80, ins: 0xCA, p1: UInt8(truncatingIfNeeded: tag.number >> 8),
            p2: UInt8(truncatingIfNeeded: tag.number), expectedLength: 256)
    }

    /// The object's value; nil when the card does not give it, or gives another one.
    static func value(_ response: ResponseAPDU, _ tag: Tag) -> [UInt8]? {
        guard response.status.isSuccess, let object = SoleObject(parsing: response.data), object.tag == tag else {
            return nil
        }
        return object.value
    }
}
