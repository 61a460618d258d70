import JSONText
public import Money

/// Monthly instalments without interest (meses sin intereses): from which amount each plan is offered.
public struct InstalmentsSection: ConfigurationSection, Hashable {
    /// Plans, in months.
    public static let plans = [3, 6, 9, 12]

    private let minimums: [Int: Amount]

    init(_ file: ObjectReader) {
        minimums = file.object("instalments") { instalments in
            instalments.object("msi") { msi in
                var minimums: [Int: Amount] = [:]
                for months in Self.plans { minimums[months] = msi.value(String(months), .amount(.mxn)) }
                return minimums
            }
        }
    }

    /// The least amount, tip included, that can be paid in so many months; zero where the file says nothing.
    public func minimum(months: Int) -> Amount {
        minimums[months] ?? .zero(.mxn)
    }

    var members: [JSONValue.Member] {
        let msi = Self.plans.map { JSONValue.Member(String($0), .string(minimum(months: $0).description)) }
        return [.init("instalments", .object(["msi": .object(msi)]))]
    }
}

extension KioskConfiguration {
    public var instalments: InstalmentsSection { self[InstalmentsSection.self] }
}
