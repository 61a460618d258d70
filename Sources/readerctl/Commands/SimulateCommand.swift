import FirmwareCores
import JSONText

/// `readerctl simulate --list`.
struct SimulateCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        guard arguments.has("--list") else {
            throw CommandFailure(.usage, "Say what to do: 'readerctl simulate --list'.")
        }
        let cards = CardProfile.all
        if arguments.has("--json") {
            console.print(
                .object([
                    "cards": .array(
                        cards.map { card in
                            .object([
                                "name": .string(card.name), "title": .string(card.title), "brand": .string(card.brand),
                                "accountType": .string(card.accountType),
                                "protocol": .string("T=\(card.transmissionProtocol)"),
                            ])
                        })
                ]))
        } else {
            let width = (cards.map(\.name.count).max() ?? 0) + 2
            for card in cards {
                console.print(card.name + String(repeating: " ", count: width - card.name.count) + card.title)
            }
        }
        return .done
    }
}
