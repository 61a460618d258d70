import Payments

/// The command line of `crashbed`.
struct Options {
    var action = ""
    var data = ""
    var point: CrashPoint?
    var time: Int64 = 0
    var card: String?
    var amount = "123.45"
    var identifier = ""
    var transactionID = ""
    var rules = SaleRules()
    /// Sales may be approved without the host.
    var approvesOffline = false
    /// To the host.
    var line = Line.up

    enum Line: String {
        case up, down
    }
    var voids = Voids.carriedOut

    /// What the host does with a void.
    enum Voids: String {
        case carriedOut, refused, nothingFound
    }
    var isForced = false

    struct Invalid: Error {
        let argument: String
    }

    init(_ arguments: ArraySlice<String>) throws {
        guard let action = arguments.first, ["sale", "refund", "void", "settle", "recover", "points"].contains(action)
        else {
            throw Invalid(argument: arguments.first ?? "")
        }
        self.action = action
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Invalid(argument: name) }
            switch name {
            case "--data": data = value
            case "--at":
                guard let point = CrashPoint(rawValue: value) else { throw Invalid(argument: value) }
                self.point = point
            case "--time":
                guard let time = Int64(value) else { throw Invalid(argument: value) }
                self.time = time
            case "--card": card = value
            case "--amount": amount = value
            case "--identifier": identifier = value
            case "--transaction-id": transactionID = value
            case "--partial":
                guard let rule = PartialApprovalRule(rawValue: value) else { throw Invalid(argument: value) }
                rules.partialApproval = rule
            case "--offline": approvesOffline = value == "yes"
            case "--line":
                guard let line = Line(rawValue: value) else { throw Invalid(argument: value) }
                self.line = line
            case "--voids":
                guard let voids = Voids(rawValue: value) else { throw Invalid(argument: value) }
                self.voids = voids
            case "--force": isForced = value == "yes"
            default: throw Invalid(argument: name)
            }
        }
    }
}
