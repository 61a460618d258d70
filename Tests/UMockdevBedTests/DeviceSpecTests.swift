import FirmwareCores
import Testing

@Suite struct DeviceSpecTests {
    @Test(arguments: [
        ("reference", DeviceSpec(family: "reference")),
        (
            "reference:serial=R0002,port=1-2",
            DeviceSpec(family: "reference", port: "1-2", options: ["serial": "R0002"])
        ),
        (
            "ccid:card=visa-credit,level=short:port=1-1",
            DeviceSpec(family: "ccid", port: "1-1", options: ["card": "visa-credit", "level": "short"])
        ),
        ("reference:serial=", DeviceSpec(family: "reference", options: ["serial": ""])),
        ("reference:serial=a=b", DeviceSpec(family: "reference", options: ["serial": "a=b"])),
    ])
    func `a specification is a family and options`(text: String, expected: DeviceSpec) throws {
        #expect(try DeviceSpec(parsing: text) == expected)
    }

    @Test(arguments: [
        ("", "'' does not begin with a family name such as 'reference' or 'ccid'"),
        ("Reference", "'Reference' does not begin with a family name such as 'reference' or 'ccid'"),
        ("reference:", "'' in 'reference:' is not an option of the form key=value"),
        ("reference:serial", "'serial' in 'reference:serial' is not an option of the form key=value"),
        ("reference:=x", "'=x' in 'reference:=x' is not an option of the form key=value"),
        ("reference:a b=x", "'a b' in 'reference:a b=x' is not an option name"),
        ("reference:a=1,a=2", "option 'a' is given twice in 'reference:a=1,a=2'"),
    ])
    func `a malformed specification is refused with the part that is wrong`(text: String, sentence: String) {
        #expect(throws: CoreOptionError(sentence)) { try DeviceSpec(parsing: text) }
    }

    @Test func `the factory makes the reference core with its serial number`() throws {
        let core = try CoreFactory.make(DeviceSpec(parsing: "reference:serial=R0002"))
        #expect(core.descriptors.strings == ["Mock Works", "Card Reader", "R0002"])
    }

    @Test(arguments: ["nothing", "reference:colour=red", "reference:serial="])
    func `the factory refuses what it does not know`(text: String) throws {
        let spec = try DeviceSpec(parsing: text)
        #expect(throws: CoreOptionError.self) { try CoreFactory.make(spec) }
    }
}
