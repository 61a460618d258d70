import ISO8583
import Testing

@Suite struct ProfileTests {
    static let usual = [
        "name": #""mine""#, "messageType": #""ascii""#, "bitmap": #""hex""#, "number": #""ascii""#,
        "track": #""ascii""#, "text": #""ascii""#, "binary": #""hex""#, "length": #""ascii""#, "filler": #""left-0""#,
    ]

    private func profile(_ changes: [String: String?]) throws -> Profile {
        var keys = Self.usual
        for (key, value) in changes { keys[key] = value }
        let body = keys.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
        return try Profile(json: Array("{\(body)}".utf8))
    }

    @Test("every profile that is compiled in can be read and has its name")
    func builtIn() throws {
        for name in Profile.builtInNames { #expect(try Profile.builtIn(name)?.name == name) }
        #expect(try Profile.builtIn("other") == nil)
    }

    @Test("a file's fields replace and remove the standard's")
    func fields() throws {
        let codec = MessageCodec(try profile(["fields": #"{"62": {"format": "b..16"}, "3": null}"#]))
        var message = Message(.financialRequest)
        message.set(62, [0xAB])
        #expect(try codec.encode(message) == Array("0200000000000000000402AB".utf8))
        message.set(3, "000000")
        #expect(throws: ISO8583Error(.undefinedField, field: 3, offset: 20)) { _ = try codec.encode(message) }
    }

    @Test(
        "a file that is wrong is refused with the name of what is wrong",
        arguments: [
            ("name", nil, ProfileError.key("name")), ("name", #""""#, .key("name")), ("name", "1", .key("name")),
            ("bitmap", nil, .key("bitmap")), ("bitmap", #""ascii""#, .key("bitmap")),
            ("messageType", #""hex""#, .key("messageType")), ("text", #""bcd""#, .key("text")),
            ("number", #""hex""#, .key("number")), ("track", #""binary""#, .key("track")),
            ("binary", #""ascii""#, .key("binary")), ("length", #""utf-8""#, .key("length")),
            ("filler", #""middle""#, .key("filler")), ("lenght", #""ascii""#, .key("lenght")),
            ("fields", "[]", .key("fields")), ("fields", #"{"1": {"format": "b 8"}}"#, .field("1")),
            ("fields", #"{"129": {"format": "b 8"}}"#, .field("129")), ("fields", #"{"x": null}"#, .field("x")),
            ("fields", #"{"04": null}"#, .field("04")), ("fields", #"{"65": {}}"#, .field("65")),
            ("fields", #"{"4": {"format": "n12"}}"#, .field("4")),
            ("fields", #"{"4": {"format": "q 12"}}"#, .field("4")),
            ("fields", #"{"4": {"format": "n 0"}}"#, .field("4")),
            ("fields", #"{"4": {"format": "n.9"}}"#, .field("4")),
            ("fields", #"{"4": {"format": "n..100"}}"#, .field("4")),
            ("fields", #"{"4": {"format": "n.....9"}}"#, .field("4")),
            ("fields", #"{"4": {"format": "n -1"}}"#, .field("4")),
            ("fields", #"{"4": {"encoding": "hex"}}"#, .field("4")),
            ("fields", #"{"4": {"encodings": "hex"}}"#, .key("fields.4.encodings")),
            ("fields", #"{"4": {"encoding": "utf-8"}}"#, .key("fields.4.encoding")),
            ("fields", #"{"55": {"format": "b...999"}}"#, .field("55")),
        ] as [(String, String?, ProfileError)])
    func wrong(key: String, value: String?, error: ProfileError) {
        #expect(throws: error) { _ = try profile([key: value]) }
    }

    @Test("what is not JSON is refused")
    func notJSON() {
        for text in ["", "{", "[]", "null", "\u{0}"] {
            #expect(throws: ProfileError.self) { _ = try Profile(json: Array(text.utf8)) }
        }
    }
}
