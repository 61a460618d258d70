/// Everything that is needed to encode and decode one field.
struct FieldSpecification: Hashable, Sendable {
    let format: FieldFormat
    let encoding: FieldEncoding
    let lengthEncoding: LengthEncoding
    let filler: OddFiller

    /// The units that a length prefix counts, for a value of `count` characters or bytes.
    func units(_ count: Int) -> Int {
        encoding == .hex || encoding == .hexEBCDIC ? count * 2 : count
    }

    /// Characters or bytes of a value whose prefix says `units`; nil when that cannot be.
    func count(units: Int) -> Int? {
        guard encoding == .hex || encoding == .hexEBCDIC else { return units }
        return units.isMultiple(of: 2) ? units / 2 : nil
    }

    /// Bytes of an encoded value of `count` characters or bytes.
    func size(_ count: Int) -> Int {
        switch encoding {
        case .ascii, .ebcdic, .binary: count
        case .bcd: (count + 1) / 2
        case .hex, .hexEBCDIC: count * 2
        }
    }
}
