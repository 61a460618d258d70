/// Why bytes are no T=1 block (ISO/IEC 7816-3, 11.3).
public struct T1BlockError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Less than the prologue and the epilogue.
        case tooShort
        /// LEN = FF.
        case reservedLength
        /// The bytes are fewer or more than LEN asks for.
        case lengthMismatch
        /// The LRC or CRC does not fit.
        case badErrorDetectionCode
        /// PCB has a reserved coding.
        case reservedControlByte
        /// LEN does not suit the kind of block: 0 for R, RESYNCH and ABORT, 1 for IFS and WTX.
        case wrongInformationLength
    }

    public var code: Code
    /// Of the wrong byte, or of the first byte that is missing, counted from NAD at 0.
    public var offset: Int

    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension T1BlockError: CustomStringConvertible {
    public var description: String {
        let sentence =
            switch code {
            case .tooShort: "The block is shorter than its prologue and epilogue."
            case .reservedLength: "The block has the reserved length FF."
            case .lengthMismatch: "The block does not have the length that it announces."
            case .badErrorDetectionCode: "The error detection code of the block is wrong."
            case .reservedControlByte: "The control byte of the block is reserved."
            case .wrongInformationLength: "The information field does not suit the kind of block."
            }
        return "\(sentence) (offset \(offset))"
    }
}

/// A T=1 block: NAD, PCB, LEN, information field, LRC or CRC (ISO/IEC 7816-3, 11.3).
public struct T1Block: Sendable, Hashable {
    /// b1 and b2 of an R-block (ISO/IEC 7816-3, 11.3.2.2).
    public enum Reception: UInt8, Sendable, Hashable, CaseIterable {
        case errorFree = 0
        /// EDC or parity.
        case checkError = 1
        case otherError = 2
    }

    /// b1 to b5 of an S-block (ISO/IEC 7816-3, 11.3.2.2).
    public enum Supervision: UInt8, Sendable, Hashable, CaseIterable {
        case resynchronisation = 0
        case informationFieldSize = 1
        case abort = 2
        case waitingTimeExtension = 3

        /// Of the information field, in bytes.
        var informationLength: Int {
            switch self {
            case .resynchronisation, .abort: 0
            case .informationFieldSize, .waitingTimeExtension: 1
            }
        }
    }

    /// PCB.
    public enum Kind: Sendable, Hashable {
        /// `sequence` is N(S), 0 or 1; `more` is the M bit.
        case information(sequence: UInt8, more: Bool)
        /// `sequence` is N(R), 0 or 1: of the I-block expected next.
        case receiveReady(sequence: UInt8, Reception)
        case supervisory(Supervision, isResponse: Bool)
    }

    /// Of the information field, in bytes.
    public static let maximumInformationLength = 254

    /// NAD: SAD in b1 to b3, DAD in b5 to b7.
    public let nodeAddress: UInt8
    public let kind: Kind
    /// 0 ... 254 bytes.
    public let information: [UInt8]

    /// Only the first 254 bytes of `information` are kept.
    public init(nodeAddress: UInt8 = 0, kind: Kind, information: [UInt8] = []) {
        self.nodeAddress = nodeAddress
        self.kind = kind
        self.information = Array(information.prefix(Self.maximumInformationLength))
    }

    /// - Throws: `T1BlockError`. The check code is tested before PCB is looked at.
    public init(parsing bytes: [UInt8], errorDetection: T1ErrorDetection) throws(T1BlockError) {
        guard bytes.count >= 3 + errorDetection.length else { throw T1BlockError(.tooShort, at: bytes.count) }
        let length = Int(bytes[2])
        guard length <= Self.maximumInformationLength else { throw T1BlockError(.reservedLength, at: 2) }
        let end = 3 + length
        guard bytes.count == end + errorDetection.length else {
            throw T1BlockError(.lengthMismatch, at: min(bytes.count, end + errorDetection.length))
        }
        guard errorDetection.code(of: bytes[..<end]) == Array(bytes[end...]) else {
            throw T1BlockError(.badErrorDetectionCode, at: end)
        }
        guard let kind = Kind(controlByte: bytes[1]) else { throw T1BlockError(.reservedControlByte, at: 1) }
        if let required = kind.informationLength, required != length {
            throw T1BlockError(.wrongInformationLength, at: 2)
        }
        nodeAddress = bytes[0]
        self.kind = kind
        information = Array(bytes[3..<end])
    }

    public func bytes(errorDetection: T1ErrorDetection) -> [UInt8] {
        let block = [nodeAddress, kind.controlByte, UInt8(clamping: information.count)] + information
        return block + errorDetection.code(of: block)
    }
}

extension T1Block.Kind {
    /// Nil for an I-block, which may have any length.
    var informationLength: Int? {
        switch self {
        case .information: nil
        case .receiveReady: 0
        case .supervisory(let supervision, _): supervision.informationLength
        }
    }

    /// Nil for a reserved coding (ISO/IEC 7816-3, 11.3.2.2).
    public init?(controlByte: UInt8) {
        switch controlByte >> 6 {
        case 0b00, 0b01:
            guard controlByte & 0x1F == 0 else { return nil }
            self = .information(sequence: controlByte >> 6 & 1, more: controlByte & 0x20 != 0)
        case 0b10:
            guard controlByte & 0x20 == 0, let reception = T1Block.Reception(rawValue: controlByte & 0x0F) else {
                return nil
            }
            self = .receiveReady(sequence: controlByte >> 4 & 1, reception)
        default:
            guard let supervision = T1Block.Supervision(rawValue: controlByte & 0x1F) else { return nil }
            self = .supervisory(supervision, isResponse: controlByte & 0x20 != 0)
        }
    }

    /// PCB.
    public var controlByte: UInt8 {
        switch self {
        case .information(let sequence, let more): (sequence & 1) << 6 | (more ? 0x20 : 0)
        case .receiveReady(let sequence, let reception): 0x80 | (sequence & 1) << 4 | reception.rawValue
        case .supervisory(let supervision, let isResponse): 0xC0 | (isResponse ? 0x20 : 0) | supervision.rawValue
        }
    }
}
