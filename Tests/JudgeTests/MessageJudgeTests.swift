import ISO8583
import SeededInput
import Testing

/// Random ISO 8583 messages between our codec and pyiso8583, in both directions.
@Suite(.judged) struct MessageJudgeTests {
    struct Case: Encodable {
        let profile: String
        let type: String
        let fields: [String: String]
        let encoded: String
    }

    struct Answer: Decodable {
        let encoded: String
        let type: String
        let decoded: [String: String]
    }

    @Test("10,000 random messages in all four profiles are the same bytes, and read the same, on both sides")
    func roundTrip() async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("random messages for pyiso8583: seed \(seed)")
        var numbers = SeededNumbers(seed: seed)
        var (messages, cases): ([Message], [Case]) = ([], [])
        for profile in Profile.builtInNames {
            let codec = MessageCodec(try #require(try Profile.builtIn(profile)))
            for _ in 0..<2_500 {
                let message = RandomMessage.make(using: &numbers)
                let encoded = try codec.encode(message)
                #expect(try codec.decode(encoded) == message)
                messages.append(message)
                cases.append(
                    Case(
                        profile: profile, type: message.type.text, fields: Self.texts(message), encoded: hex(encoded)))
            }
        }
        let answers = try await Judge(program: "messages8583.py").answers(to: cases, as: Answer.self)
        for ((message, sent), answer) in zip(zip(messages, cases), answers) {
            #expect(answer.encoded == sent.encoded, "\(sent.profile) \(message)")
            #expect(answer.type == sent.type)
            #expect(answer.decoded == sent.fields, "\(sent.profile) \(message)")
        }
    }

    private static func texts(_ message: Message) -> [String: String] {
        var texts: [String: String] = [:]
        for (number, value) in message.fields {
            switch value {
            case .text(let text): texts[String(number)] = text
            case .bytes(let bytes): texts[String(number)] = hex(bytes)
            }
        }
        return texts
    }
}
