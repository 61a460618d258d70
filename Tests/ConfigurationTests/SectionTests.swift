import EMV
import JSONText
import Money
import Testing
import USBDescriptors

@testable import Configuration

@Suite struct SectionTests {
    @Test("without keys everything has its default, and the terminal is the Mexican kiosk")
    func defaults() throws {
        for configuration in [KioskConfiguration(), try configuration("{}")] {
            #expect(configuration.version.number == 1)
            #expect(configuration.gateway.kind == .simulator)
            #expect(configuration.merchant.name == "ReaderKit")
            #expect(configuration.merchant.categoryCodeBCD == [0x59, 0x99])
            #expect(configuration.timeLimits.card == 60 && configuration.timeLimits.host == 60)
            #expect(configuration.terminal.keys == .test)
            #expect(InstalmentsSection.plans.allSatisfy { configuration.instalments.minimum(months: $0).isZero })
            #expect(!configuration.payments.acceptsPartialApproval)
            #expect(configuration.userToken.file == nil && configuration.userToken.expires == nil)
            #expect(configuration.appToApp.compatibilityVersion == "4.3.24")
            #expect(configuration.appToApp.replySchemes.isEmpty)
            #expect(configuration.banner.text.isEmpty && configuration.banner.seconds == 0)
            let terminal = configuration.terminalConfiguration(keys: .empty)
            let kiosk = TerminalConfiguration.mexicanKiosk
            #expect(terminal.countryCode == kiosk.countryCode)
            #expect(configuration.terminal.currency == .mxn)
            #expect(terminal.capabilities == kiosk.capabilities)
            #expect(terminal.additionalCapabilities == kiosk.additionalCapabilities)
            #expect(terminal.terminalType == kiosk.terminalType)
            #expect(terminal.terminalIdentification == kiosk.terminalIdentification)
            #expect(terminal.merchantIdentifier == kiosk.merchantIdentifier)
            #expect(terminal.merchantCategoryCode == kiosk.merchantCategoryCode)
            #expect(terminal.interfaceDeviceSerialNumber == kiosk.interfaceDeviceSerialNumber)
            #expect(terminal.applications == kiosk.applications)
            #expect(terminal.transactionCategoryCode == nil)
            #expect(terminal.checksVelocity)
        }
    }

    @Test("the flat keys of the first version are read")
    func flatKeys() throws {
        let configuration = try configuration(
            """
            {"gateway":"simulator","merchantName":"Cinco & Diez","merchantId":"A","merchantCategoryCode":"0742",
             "terminalId":"T0000001","cardTimeoutSeconds":1,"hostTimeoutSeconds":600}
            """)
        #expect(configuration.merchant.name == "Cinco & Diez")
        #expect(configuration.merchant.merchantID == "A")
        #expect(configuration.merchant.categoryCode == "0742")
        #expect(configuration.merchant.terminalID == "T0000001")
        #expect(configuration.timeLimits.card == 1 && configuration.timeLimits.host == 600)
    }

    @Test("ports with readers are read, and what cannot be one is refused")
    func readers() throws {
        let read = try configuration(
            """
            {"readers":{"ttys":[{"path":"/dev/ttyS0","family":"neo2"},
                                {"path":"/dev/ttyUSB0","family":"mpi","baud":19200}]}}
            """
        ).readers.ttys
        #expect(read.map(\.path) == ["/dev/ttyS0", "/dev/ttyUSB0"])
        #expect(read.map(\.family) == [.neo2, .mpi] && read.map(\.baud) == [115_200, 19_200])
        #expect(try configuration("{}").readers.ttys.isEmpty)
        let wrong = try problems(#"{"readers":{"ttys":[{"path":"ttyS0","family":"ccid","baud":0}]}}"#)
        #expect(wrong.count == 3)
        #expect(wrong.contains { $0.hasPrefix("readers.ttys[0].family: ") })
    }

    @Test("serial chips with readers at them, named by their USB device")
    func usbSerial() throws {
        let read = try configuration(
            """
            {"readers":{"usbSerial":[{"device":"usb:0403:6001:A600ABCD","family":"qpos"},
                                     {"device":"usb:1-1.2:1","family":"mpi","baud":19200,"direct":true}]}}
            """
        ).readers.usbSerial
        #expect(read.map(\.device.description) == ["usb:0403:6001:A600ABCD", "usb:1-1.2:1"])
        #expect(read.map(\.family) == [.qpos, .mpi] && read.map(\.baud) == [115_200, 19_200])
        #expect(read.map(\.isDirect) == [false, true])
        let wrong = try problems(
            #"{"readers":{"usbSerial":[{"device":"/dev/ttyUSB0","family":"ccid","baud":0,"direct":1},{}]}}"#)
        #expect(wrong.count == 6)
        #expect(
            wrong.first
                == #"readers.usbSerial[0].device: "usb:VID:PID", "usb:VID:PID:SERIAL" or "usb:PORT" is expected, another text was given"#
        )
    }

    @Test("a reader that is named twice is refused: nobody knows which family or speed is meant")
    func sameReaderTwice() throws {
        func wrong(_ list: String, _ key: String, _ names: String...) throws -> [String] {
            let entries = names.map { #"{"\#(key)":"\#($0)","family":"qpos"}"# }.joined(separator: ",")
            return try problems(#"{"readers":{"\#(list)":[\#(entries)]}}"#)
        }
        let end = ": the same is named before: it can be there once only"
        #expect(
            try wrong("usbSerial", "device", "usb:0403:6001:A", "usb:1-1", "usb:0403:6001:A")
                == ["readers.usbSerial[2].device" + end])
        // Other spellings of the same name.
        #expect(
            try wrong("usbSerial", "device", "usb:10c4:EA60:B-1", "usb:10C4:ea60:%42%2d1:0")
                == ["readers.usbSerial[1].device" + end])
        #expect(try wrong("ttys", "path", "/dev/ttyS0", "/dev/ttyS1", "/dev/ttyS0") == ["readers.ttys[2].path" + end])
        let others = ["usb:0403:6001", "usb:0403:6001:A", "usb:0403:6001:A:1", "usb:0403:6001:B", "usb:1-1"]
        let entries = others.map { #"{"device":"\#($0)","family":"qpos"}"# }.joined(separator: ",")
        #expect(try configuration(#"{"readers":{"usbSerial":[\#(entries)]}}"#).readers.usbSerial.count == 5)
    }

    @Test(
        "a serial number with other characters is refused, with how to write it", arguments: ["é", "A B", "e\u{301}"])
    func unescapedSerial(serial: String) throws {
        #expect(
            try problems(#"{"readers":{"usbSerial":[{"device":"usb:0403:6001:\#(serial)","family":"qpos"}]}}"#) == [
                #"readers.usbSerial[0].device: "usb:VID:PID", "usb:VID:PID:SERIAL" or "usb:PORT" is expected, one with "#
                    + #"other characters than letters, digits, "-", "_" and "." was given: write each of their bytes as %XX"#
            ])
        let escaped = try configuration(
            #"{"readers":{"usbSerial":[{"device":"usb:0403:6001:%C3%A9","family":"qpos"}]}}"#)
        #expect(
            escaped.readers.usbSerial.first?.device.isOn(
                vendorId: 0x0403, productId: 0x6001, serial: "é", port: "1-1") == true)
    }

    @Test("every key of the example reaches the value that it is for")
    func example() throws {
        let configuration = try KioskConfiguration(json: Files.example())
        #expect(configuration.merchant.name == "Café Reforma")
        #expect(configuration.timeLimits.host == 45)
        #expect(configuration.terminal.keys == .file("/etc/readerkit/authorities.json"))
        #expect(configuration.terminal.revokedCertificates.entries.map(\.serialNumber) == [[0x03, 0xDA, 0x0A]])
        #expect(configuration.payments.acceptsPartialApproval)
        #expect(configuration.instalments.minimum(months: 9).description == "900.00")
        #expect(configuration.userToken.file == "/etc/readerkit/user-token")
        #expect(configuration.userToken.expires?.unixSeconds == 1_830_319_199)
        #expect(configuration.appToApp.replySchemes == ["caferef", "https://caja.example"])
        #expect(configuration.banner.text == "Bienvenidos a Café Reforma")
        #expect(configuration.banner.imageFile == "/usr/share/readerkit/banner.png")
        #expect(configuration.banner.seconds == 5)
        let terminal = configuration.terminalConfiguration(keys: .empty)
        #expect(terminal.terminalType == .unattendedOfflineWithOnline)
        #expect(terminal.transactionCategoryCode == UInt8(ascii: "R"))
        #expect(terminal.merchantCategoryCode == [0x58, 0x14])
        let visa = TerminalApplication.common[0]
        var mastercard = TerminalApplication.common[2]
        mastercard.actionCodeDenial = [0x04, 0, 0, 0, 0]
        mastercard.actionCodeOnline = [0xF8, 0x50, 0xAC, 0xF8, 0]
        mastercard.actionCodeDefault = [0xFC, 0x50, 0xAC, 0xA0, 0]
        let express = TerminalApplication(
            aid: [0xA0, 0, 0, 0, 0x25, 0x01, 0x08], allowsPartialSelection: false, versionNumber: [0, 1],
            actionCodeDenial: [0, 0x10, 0, 0, 0], actionCodeOnline: [0xDE, 0, 0xFC, 0x98, 0],
            actionCodeDefault: [0xDC, 0x50, 0xFC, 0x98, 0], floorLimit: 15_000, threshold: 5_000, targetPercentage: 20,
            maximumTargetPercentage: 50, defaultDDOL: [0x9F, 0x37, 0x04],
            defaultTDOL: [
                0x9F, 0x02, 0x06, 0x5F, 0x2A, 0x02, 0x9A, 0x03, 0x9C, 0x01, 0x95, 0x05, 0x9F, 0x37, 0x04,
            ])
        #expect(terminal.applications == [visa, mastercard, express])
    }

    @Test("what is shown as in effect is a file that says the same, and shows the same again")
    func roundTrip() throws {
        for json in [Array("{}".utf8), try Files.example()] {
            let document = try KioskConfiguration(json: json).document
            let again = try KioskConfiguration(json: Array(document.compactText.utf8))
            #expect(again.document.indentedText == document.indentedText)
        }
    }

    @Test("random selection of the terminal holds for applications that have none of their own")
    func randomSelection() throws {
        let applications = try configuration(
            """
            {"terminal": {"randomSelection": {"targetPercentage": 10, "maximumTargetPercentage": 30},
              "applications": [{"aid": "A0000000031010"},
                {"aid": "A0000000041010", "randomSelection": {"targetPercentage": 40}}]}}
            """
        ).terminal.applications
        #expect(applications.map(\.targetPercentage) == [10, 40])
        #expect(applications.map(\.maximumTargetPercentage) == [30, 40])
    }

    @Test("currencies are read as number and as letters", arguments: ["484", "MXN"])
    func currency(code: String) throws {
        #expect(try configuration(#"{"terminal": {"currency": "\#(code)"}}"#).terminal.currency == .mxn)
    }

    @Test(
        "times of RFC 3339 are moments",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:34:56z", 951_827_696),
            ("2026-11-30t05:00:00.75+00:00", 1_796_014_800), ("2026-11-29T23:00:00-06:00", 1_796_014_800),
            ("1985-04-12T23:20:50.52Z", 482_196_050), ("1990-12-31T23:59:60Z", 662_688_000),
            ("1996-12-19T16:39:57-08:00", 851_042_397), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Int64)])
    func moments(text: String, seconds: Int64) {
        #expect(InternetTime(text)?.unixSeconds == seconds)
    }

    @Test(
        "anything else is no time",
        arguments: [
            "", "2027-12-31", "2027-12-31 23:59:59Z", "2027-12-31T23:59:59", "2027-02-29T00:00:00Z",
            "2027-13-01T00:00:00Z", "2027-00-01T00:00:00Z", "2027-01-00T00:00:00Z", "2027-01-01T24:00:00Z",
            "2027-01-01T00:60:00Z", "2027-01-01T00:00:61Z", "2027-01-01T00:00:00.Z", "2027-01-01T00:00:00+0600",
            "2027-01-01T00:00:00+24:00", "1969-12-31T23:59:59Z", "2027-01-01T00:00:00Zz", "+027-01-01T00:00:00Z",
            "2027-01-01T00:00:00Z ", "٢٠٢٧-01-01T00:00:00Z",
        ])
    func noMoments(text: String) {
        #expect(InternetTime(text) == nil)
    }

    @Test(
        "reply targets are schemes in lower case, and web hosts with their scheme",
        arguments: ["a", "com.example.app", "x+y-z.1", "https://shop.example", "http://10.0.0.7:8080", "https://a"])
    func replyTargets(text: String) throws {
        #expect(try configuration(#"{"replySchemes": ["\#(text)"]}"#).appToApp.replySchemes == [text])
    }
}
