import BERTLV
import Decoder
import EMV

/// The object with this tag, depth first.
func find(_ tag: BERTLV.Tag, in objects: [DecodeReport.Object]) -> DecodeReport.Object? {
    for object in objects {
        if object.tag == tag { return object }
        if let found = find(tag, in: object.children ?? []) { return found }
    }
    return nil
}

/// Everything that a rendering could show, one item a line.
func allText(_ report: DecodeReport) -> String {
    func lines(_ object: DecodeReport.Object) -> [String] {
        [object.name, object.value.map { hexText($0) } ?? "", object.text ?? ""] + object.details
            + (object.children ?? []).flatMap(lines)
    }
    let summary = report.summary
    return
        (report.objects.flatMap(lines) + report.problems.map(\.message)
        + [summary.arqc, summary.aid, summary.applabel, summary.creditcard, summary.cardtype].map { $0 ?? "" })
        .joined(separator: "\n")
}

func decode(_ hex: String, padding: TLVPadding = .zero, reveal: Bool = false) -> DecodeReport {
    DecodeReport(tlv: bytes(hex), options: DecodeOptions(padding: padding, reveal: reveal))
}
