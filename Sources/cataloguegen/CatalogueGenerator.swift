import Glibc
import Readers

/// Prints what is made from the reader catalogue: `cataloguegen udev-rules` or `cataloguegen supported-readers`.
@main
enum CatalogueGenerator {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "udev-rules": print(UdevRules.text, terminator: "")
        case "supported-readers": print(SupportedReadersPage.text, terminator: "")
        default:
            print("usage: cataloguegen udev-rules | supported-readers")
            exit(2)
        }
    }
}
