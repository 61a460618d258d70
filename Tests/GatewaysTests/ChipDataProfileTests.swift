import BERTLV
import Gateways
import Testing

@Suite struct ChipDataProfileTests {
    static let denied: [UInt64] = [
        0x56, 0x57, 0x5A, 0x5F20, 0x5F24, 0x99, 0x9F0B, 0x9F1F, 0x9F20, 0x9F6B, 0xDF01, 0xDF8129, 0xDFAE5A, 0xFF33,
    ]

    @Test("a profile with account data, a vendor's tag or a template cannot be made", arguments: denied + [0x70])
    func refused(number: UInt64) {
        #expect(ChipDataProfile(allowed: [[0x9F26], [0x95, ObjectTag(number)]]) == nil)
    }

    @Test("no built-in profile asks for account data")
    func neverAsks() throws {
        for profile in [ChipDataProfile.request, .reversal] {
            var asked: [ObjectTag] = []
            _ = try profile.build { tag in
                asked.append(tag)
                return nil
            }
            #expect(!asked.isEmpty)
            #expect(asked.allSatisfy { !ChipDataProfile.isDenied($0) })
            #expect(Set(asked).isDisjoint(with: Self.denied.map { ObjectTag($0) }))
        }
    }

    @Test("objects go in the profile's order, byte for byte, and absent ones are left out")
    func order() throws {
        let card = SampleCard.mChip16
        let built = try ChipDataProfile.request.build { card.objects[$0] }
        let expected =
            "9F26088D32EEAF831CBDBA 9F270180 9F10120110A0400324C000112233445566778899AA 9F370411223344 9F36020007"
            + "95058000048000 9A03261130 9C0100 9F0206000000012345 9F0306000000000000 5F2A020484 82023C00 9F1A020484"
            + "9F3303E0F8C8 9F3403420300 9F350125 8407A0000000031010"
        #expect(built == octets(expected))
    }

    @Test("what was built reads back equal, for both profiles")
    func roundTrip() throws {
        for profile in [ChipDataProfile.request, .reversal] {
            var objects = SampleCard.visa10.objects
            objects[0x9B] = octets("E800")
            objects[0x9F5B] = octets("2000000000")
            let tree = TLVTree(parsing: try profile.build { objects[$0] })
            #expect(tree.isClean)
            #expect(tree.nodes.allSatisfy { objects[$0.tag] == tree.value(of: $0) })
            let tags = tree.nodes.map(\.tag)
            #expect(Set(tags).count == tags.count)
            #expect(tags.contains(0x9F5B) == (profile == .reversal))
        }
    }

    @Test("of the application identifiers the first that is there goes")
    func alternatives() throws {
        let build = { (objects: [ObjectTag: [UInt8]]) in try ChipDataProfile.request.build { objects[$0] } }
        #expect(try build([0x84: [1], 0x4F: [2], 0x9F06: [3]]) == octets("840101"))
        #expect(try build([0x4F: [2], 0x9F06: [3]]) == octets("4F0102"))
        #expect(try build([0x84: [], 0x9F06: [3]]) == octets("9F060103"))
    }

    @Test("the limit counts every byte of the field")
    func limit() throws {
        let profile = try #require(ChipDataProfile(allowed: [[0x9F10], [0x9F10], [0x95]], lengthLimit: 40))
        let fits: [ObjectTag: [UInt8]] = [0x9F10: [UInt8](repeating: 1, count: 30), 0x95: [1, 2, 3, 4, 5]]
        #expect(try profile.build { fits[$0] }.count == 40)
        let over: [ObjectTag: [UInt8]] = [0x9F10: [UInt8](repeating: 1, count: 31), 0x95: [1, 2, 3, 4, 5]]
        #expect(throws: GatewayError.badRequest(reason: "the chip data would be longer than 40 bytes")) {
            try profile.build { over[$0] }
        }
    }

    @Test("objects that are too long for the field give no field, not a cut one")
    func tooLong() throws {
        let card = SampleCard.visa10
        var objects = card.objects
        #expect(ChipData.request { objects[$0] } == (try ChipDataProfile.request.build { objects[$0] }))
        #expect(ChipData.reversal { objects[$0] } == (try ChipDataProfile.reversal.build { objects[$0] }))
        objects[0x9F10] = [UInt8](repeating: 6, count: 252)
        #expect(ChipData.request { objects[$0] }.isEmpty)
        #expect(ChipData.reversal { objects[$0] }.isEmpty)
    }

    @Test("all objects of the data dictionary's greatest lengths fit together")
    func greatest() {
        let lengths: [ObjectTag: Int] = [
            0x9F26: 8, 0x9F27: 1, 0x9F10: 32, 0x9F37: 4, 0x9F36: 2, 0x95: 5, 0x9A: 3, 0x9C: 1, 0x9F02: 6, 0x9F03: 6,
            0x5F2A: 2, 0x82: 2, 0x9F1A: 2, 0x9F33: 3, 0x9F34: 3, 0x9F35: 1, 0x84: 16, 0x9F09: 2, 0x9F1E: 8, 0x9F41: 4,
            0x5F34: 1, 0x9F53: 1, 0x9B: 2, 0x9F5B: 5,
        ]
        let built = ChipData.reversal { lengths[$0].map { [UInt8](repeating: 1, count: $0) } }
        #expect(TLVTree(parsing: built).nodes.count == lengths.count)
    }
}
