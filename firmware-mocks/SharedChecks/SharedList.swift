/// The one list of named checks. Rungs 2 and 3 run it through the same client program; rung 1 runs the checks that make
/// sense without a bus. A check that passes on one rung and fails on another means that a model of the kernel is wrong:
/// the model is mended, never the list.
public enum SharedList {
    public static let all: [NamedCheck] =
        discovery + control + bulk + time + async + removal + `return` + endurance + faults

    public static func checks(for rung: Rung) -> [NamedCheck] {
        all.filter { $0.rungs.contains(rung) }
    }

    public static func check(named name: String) -> NamedCheck? {
        all.first { $0.name == name }
    }
}
