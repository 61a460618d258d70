/// The table of states and edges as a picture, for `docs/payments.md` (Mermaid).
public enum PaymentStateDiagram {
    public static var text: String {
        var lines = ["stateDiagram-v2", "    [*] --> \(PaymentState.created.rawValue)"]
        for state in PaymentState.allCases {
            let next = PaymentState.allCases.filter { state.successors.contains($0) }
            for successor in next { lines.append("    \(state.rawValue) --> \(successor.rawValue)") }
            if next.isEmpty { lines.append("    \(state.rawValue) --> [*]") }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
