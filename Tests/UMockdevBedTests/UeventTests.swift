import Testing

@testable import UMockdevBed

@Suite struct UeventTests {
    // The values that libudev 252 puts into its socket filter for these names.
    @Test(
        arguments: [
            ("usb", 0x0577_C5E5), ("usb_device", 0x27F8_F50C), ("usb_interface", 0xB102_4765), ("", 0),
        ] as [(String, UInt32)])
    func `names hash as libudev hashes them`(name: String, hash: UInt32) {
        #expect(MurmurHash2.hash(name) == hash)
    }

    @Test func `a datagram is libudev's header and then the properties`() {
        let event = Uevent(properties: [
            ("ACTION", "add"), ("SUBSYSTEM", "usb"), ("DEVTYPE", "usb_device"),
        ])
        let properties = Array("ACTION=add\0SUBSYSTEM=usb\0DEVTYPE=usb_device\0".utf8)
        let expected: [UInt8] =
            [
                0x6C, 0x69, 0x62, 0x75, 0x64, 0x65, 0x76, 0x00,  // "libudev"
                0xFE, 0xED, 0xCA, 0xFE,
                40, 0, 0, 0,  // header size
                40, 0, 0, 0,  // where the properties begin
                44, 0, 0, 0,  // their length
                0x05, 0x77, 0xC5, 0xE5,  // "usb"
                0x27, 0xF8, 0xF5, 0x0C,  // "usb_device"
                0, 0, 0, 0, 0, 0, 0, 0,  // no tags
            ] + properties
        #expect(event.datagram == expected)
    }

    @Test func `an event without subsystem and type has no hashes`() {
        let datagram = Uevent(properties: [("ACTION", "add")]).datagram
        #expect(Array(datagram[24..<32]) == [0, 0, 0, 0, 0, 0, 0, 0])
    }
}
