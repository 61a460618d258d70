import BERTLV

extension Meaning {
    /// What the value of a primitive object means. The value has a length that the dictionary allows.
    mutating func object(_ tag: Tag, _ value: Span<UInt8>, _ context: DecodeContext) {
        switch tag.number {
        case 0x82: BitTable.applicationInterchangeProfile.write(value, into: &self)
        case 0x95, 0x9F0D, 0x9F0E, 0x9F0F, 0xDF8120, 0xDF8121, 0xDF8122:
            BitTable.terminalVerificationResults.write(value, into: &self)
        case 0x9B: BitTable.transactionStatusInformation.write(value, into: &self)
        case 0x9F07: BitTable.applicationUsageControl.write(value, into: &self)
        case 0x9F33: BitTable.terminalCapabilities.write(value, into: &self)
        case 0x9F40: BitTable.additionalTerminalCapabilities.write(value, into: &self)
        case 0x9F66 where value.count == 4: BitTable.terminalTransactionQualifiers.write(value, into: &self)
        case 0x9F6C where value.count == 2 && !isMastercard(context):
            BitTable.cardTransactionQualifiers.write(value, into: &self)
        case 0xDF8117: BitTable.cardDataInput.write(value, into: &self)
        case 0xDF8118, 0xDF8119: BitTable.methodCapability.write(value, into: &self)
        case 0xDF811B: BitTable.kernelConfiguration.write(value, into: &self)
        case 0xDF811F: BitTable.securityCapability.write(value, into: &self)
        case 0x9F27: cryptogramInformation(value)
        case 0x9F10: issuerApplicationData(value, context)
        case 0x80: responseFormat1(value, context)
        case 0x91: issuerAuthentication(value)
        case 0x9F5B: scriptResults(value)
        case 0x9F6E: formFactor(value, context)
        case 0x8E: methodList(value, context)
        case 0x9F34: methodResults(value)
        default: if !codedObject(tag, value) { plainObject(tag, value, context) }
        }
    }

    private func isMastercard(_ context: DecodeContext) -> Bool { context.provider == 0xA0_0000_0004 }

    /// Objects that are a code of a list, and lists.
    private mutating func codedObject(_ tag: Tag, _ value: Span<UInt8>) -> Bool {
        switch tag.number {
        case 0x9F35: terminalType(value)
        case 0x9C: transactionType(value)
        case 0x9F39: entryMode(value)
        case 0x5F57: accountType(value)
        case 0x5F30: serviceCode(value)
        case 0x87: priority(value)
        case 0x8A: responseCode(value)
        case 0x9F11: codeTable(value)
        case 0x9F15: merchantCategory(value)
        case 0x5F2D: languages(value)
        case 0x8C, 0x8D, 0x97, 0x9F38, 0x9F49, 0x9F4F, 0x9F69: objectList(value)
        case 0x9F4A, 0x5C: tagList(value)
        case 0x94: fileLocator(value)
        case 0x9F4D: logEntry(value)
        case 0xDF52: readerCVM(value)
        case 0xDFEE30: readerInterface(value)
        default: return false
        }
        return true
    }

    /// Numbers, dates, names.
    private mutating func plainObject(_ tag: Tag, _ value: Span<UInt8>, _ context: DecodeContext) {
        switch tag.number {
        case 0x4F, 0x84, 0x9F06, 0x9D: application(value)
        case 0x9A, 0x5F25: date(value)
        case 0x9F21: time(value)
        case 0x9F02, 0x9F03, 0xDF8123, 0xDF8124, 0xDF8125, 0xDF8126: amount(value, context)
        case 0x81, 0x9F04, 0x9F1B: binaryAmount(value, context)
        case 0x5F2A, 0x9F42, 0x9F3C: currency(value)
        case 0x9F3B: currencies(value)
        case 0x5F28, 0x9F1A, 0x9F57: country(value)
        case 0x9F12: preferredName(value, context)
        case 0x50: label(value, context)
        case 0x9F36, 0x9F13, 0x9F17, 0x9F14, 0x9F23, 0x88: counter(value)
        case 0x5F54, 0x9F4E, 0x9F16, 0x9F1C, 0x9F1E, 0x5F50, 0x5F55, 0x5F56, 0x89, 0x9F24, 0xC4: plainText(value)
        case 0x5F34, 0x9F01, 0x9F41, 0x9F19, 0x9F25, 0x42, 0x5F36, 0x9F44, 0x9F43, 0x9F3D: digits(value)
        default: return
        }
    }
}
