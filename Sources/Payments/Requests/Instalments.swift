/// Months without interest (`msi`): how many monthly payments the cardholder makes. 0 = a single payment.
public enum Instalments: Int, Sendable, Hashable, CaseIterable {
    case single = 0
    case three = 3
    case six = 6
    case nine = 9
    case twelve = 12
}
