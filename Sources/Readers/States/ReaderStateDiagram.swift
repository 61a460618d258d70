/// The table of states and edges as a picture, for `docs/readers.md` (Mermaid).
public enum ReaderStateDiagram {
    public static var text: String {
        var lines = ["stateDiagram-v2", "    [*] --> \(ReaderState.Name.discovering.rawValue)"]
        for state in ReaderState.Name.allCases {
            for successor in ReaderState.Name.allCases where state.successors.contains(successor) {
                lines.append("    \(state.rawValue) --> \(successor.rawValue)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
