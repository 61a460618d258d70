import ErrorPage
import Glibc
import Payments
import Readers

/// Prints what is made from the sources: `cataloguegen udev-rules`, `serial-chip-rules`, `hwdb`, `supported-readers` (all
/// from the reader catalogue), `payment-states`, `reader-states` or `errors`.
@main
enum CatalogueGenerator {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "udev-rules": print(UdevRules.text, terminator: "")
        case "serial-chip-rules": print(SerialChipRules.text, terminator: "")
        case "hwdb": print(HardwareDatabase.text, terminator: "")
        case "supported-readers": print(SupportedReadersPage.text, terminator: "")
        case "payment-states": print(PaymentStateDiagram.text, terminator: "")
        case "errors": print(ErrorPage.text, terminator: "")
        case "reader-states": print(ReaderStateDiagram.text, terminator: "")
        default:
            print(
                "usage: cataloguegen udev-rules | serial-chip-rules | hwdb | supported-readers | payment-states |",
                "reader-states | errors")
            exit(2)
        }
    }
}
