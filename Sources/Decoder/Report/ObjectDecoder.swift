import BERTLV
import EMV

/// Gives names, meanings, masks and problems to the objects of one group after another. A group is a stretch of input
/// whose objects belong together; contexts and masks are found for all of it before the first object is shown.
struct ObjectDecoder: Sendable {
    /// What decoding says of one object, beside its `Meaning`.
    struct Finding: Sendable {
        /// In the `ElementTable`; -1 for an unknown tag.
        var element: Int
        /// The value must not be shown.
        var isHidden = false
        /// The part of a template that is not TLV must not be shown.
        var hidesRaw = false
        var hasRightLength = true
    }

    private(set) var meaning = Meaning()
    private(set) var findings: [Finding] = []
    var problems = ProblemList()
    private(set) var summary = SummaryCollector()
    /// What later objects may take from earlier ones.
    private var carried = DecodeContext()
    /// What objects may take from later ones, when all of the input is there.
    var fallback = DecodeContext()
    private let table = ElementTable.shared
    private let reveal: Bool
    /// The context of each level, and the tag of the template around it.
    private var contexts: [DecodeContext] = Array(repeating: DecodeContext(), count: 64)
    private var ancestors: [Int] = Array(repeating: 0, count: 64)
    private var firstPAN: (range: Range<Int>, count: Int)?
    private var base = 0

    init(reveal: Bool) {
        self.reveal = reveal
    }

    /// Takes the last four digits of a card number that a reader has masked.
    mutating func takeMasked(cardEnd: String) { summary.takeMasked(cardEnd: cardEnd) }

    /// Looks through all objects of a group. Its problems of form are taken over.
    mutating func begin(_ outline: TLVOutline, _ window: Span<UInt8>) {
        base = outline.base
        firstPAN = nil
        // The value of NEO2's failure information is an error, SW1 SW2 and a state, although its tag is a template's.
        for problem in outline.problems where !problem.path.contains(0xFFEE1F) {
            guard let code = DecodeReport.Problem.Code(problem.code) else { continue }
            problems.add(
                .init(offset: problem.offset, path: problem.path, code: code, message: problem.message),
                at: problem.offset)
        }
        problems.addUncounted(outline.uncountedProblems, at: base)
        var context = DecodeContext()
        findings.removeAll(keepingCapacity: true)
        let entries = outline.entries
        for index in entries.indices {
            let entry = entries[index]
            ancestors[entry.depth] = index
            var finding = Finding(element: table.position(of: entry.tag))
            if entry.tag.isConstructed {
                if entry.isRaw, !reveal {
                    // The tag and the length are shown too, and may be the number's beginning.
                    let start = entry.rawStart == entry.valueRange.lowerBound ? entry.offset : entry.rawStart
                    finding.hidesRaw = CardDataScan.mayHoldPAN(window.extracting(start..<entry.valueRange.upperBound))
                    finding.isHidden = finding.hidesRaw
                }
            } else {
                let value = window.extracting(entry.valueRange)
                context.take(entry.tag, value)
                inspect(entry, value, &finding)
                if !finding.isHidden, !reveal, Masking.mayContinueHeader(entry, finding) {
                    let end = min(entry.valueRange.upperBound, entry.valueRange.lowerBound + 10)
                    finding.isHidden = CardDataScan.mayHoldPAN(window.extracting(entry.offset..<end))
                }
                summary.take(entry.tag, value, isHidden: finding.isHidden)
            }
            if finding.isHidden {
                for depth in 0..<entry.depth { findings[ancestors[depth]].isHidden = true }
            }
            findings.append(finding)
        }
        if !reveal { hideTemplates(entries, window) }
        context.fill(from: carried)
        carried = context
        context.fill(from: fallback)
        contexts[0] = context
    }

    /// Hides the values of the templates in which a card number shows that no single object holds: damage has cut it
    /// into what looks like objects. Sound objects were judged by themselves and are left out.
    private mutating func hideTemplates(_ entries: [TLVOutline.Entry], _ window: Span<UInt8>) {
        var index = 0
        while index < entries.count {
            let top = entries[index]
            let end = max(top.end, index + 1)
            if top.tag.isConstructed, holdsScatteredPAN(index..<min(end, entries.count), entries, window) {
                for place in index..<min(end, entries.count) where entries[place].tag.isConstructed {
                    findings[place].isHidden = true
                    findings[place].hidesRaw = entries[place].isRaw
                }
            }
            index = end
        }
    }

    private func holdsScatteredPAN(
        _ range: Range<Int>, _ entries: [TLVOutline.Entry], _ window: Span<UInt8>
    ) -> Bool {
        let top = entries[range.lowerBound]
        // Where what is not sound begins, and how far back a number in it may reach into a sound object.
        var start = top.offset
        var reach = top.offset
        for index in range where !entries[index].tag.isConstructed {
            let entry = entries[index]
            let isHidden = findings[index].isHidden
            guard isHidden || !Masking.mayContinueHeader(entry, findings[index]) else { continue }
            // Nothing but the headers of templates may stand between two sound objects.
            if start < entry.offset {
                let end = isHidden ? entry.offset : min(entry.offset + Masking.reach, entry.valueRange.upperBound)
                if CardDataScan.mayHoldPAN(window.extracting(reach..<end)) { return true }
            }
            start = max(start, entry.valueRange.upperBound)
            reach = isHidden ? start : max(entry.offset, start - Masking.reach)
        }
        let end = min(top.valueRange.upperBound, window.count)
        return start < end && CardDataScan.mayHoldPAN(window.extracting(reach..<end))
    }

    /// Finds out whether a primitive object has a right length and is to be hidden.
    private mutating func inspect(_ entry: TLVOutline.Entry, _ value: Span<UInt8>, _ finding: inout Finding) {
        var isText = false
        if finding.element >= 0 {
            let element = table.elements[finding.element]
            finding.hasRightLength = element.allows(value.count)
            if let kind = element.sensitive {
                finding.isHidden = !reveal && !(kind == .name && Meaning.isBlankName(value))
                if kind == .pan, firstPAN == nil, entry.tag == 0x5A,
                    let count = PANDigits.count(compressedNumeric: value)
                {
                    firstPAN = (entry.valueRange, count)
                }
                return
            }
            isText = element.isText && finding.hasRightLength && value.count >= 7 && isASCII(value)
        }
        finding.isHidden = !reveal && Masking.mustHide(entry.tag, value, isText: isText)
    }

    /// Finds the meaning of one object of the group; they must be asked for in order.
    mutating func decode(_ index: Int, _ entries: [TLVOutline.Entry], _ window: Span<UInt8>) {
        meaning.removeAll()
        let entry = entries[index]
        ancestors[entry.depth] = index
        if entry.tag.isConstructed {
            decodeTemplate(index, entries, window)
        } else {
            decodePrimitive(entry, findings[index], window)
        }
        if !entry.notes.isEmpty { meaning.put(notes: entry.notes) }
        if !meaning.faults.isEmpty {
            for fault in meaning.faults { report(fault, index, entries) }
        }
    }

    private mutating func decodeTemplate(_ index: Int, _ entries: [TLVOutline.Entry], _ window: Span<UInt8>) {
        let entry = entries[index]
        if findings[index].isHidden { meaning.text("holds masked data") }
        if entry.isRaw {
            let raw = window.extracting(entry.rawStart..<entry.valueRange.upperBound)
            meaning.put(byteCount: raw.count)
            meaning.put(raw.count == 1 ? " is not TLV: " : " are not TLV: ")
            if findings[index].hidesRaw { meaning.put(hidden: raw.count) } else { meaning.put(hex: raw) }
            meaning.endLine()
        }
        guard entry.end > index + 1 else { return }
        var context = DecodeContext()
        var child = index + 1
        while child < entry.end {
            let inner = entries[child]
            if !inner.tag.isConstructed { context.take(inner.tag, window.extracting(inner.valueRange)) }
            child = inner.end
        }
        context.fill(from: contexts[entry.depth])
        contexts[entry.depth + 1] = context
    }

    private mutating func decodePrimitive(_ entry: TLVOutline.Entry, _ finding: Finding, _ window: Span<UInt8>) {
        let value = window.extracting(entry.valueRange)
        let kind = finding.element >= 0 ? table.elements[finding.element].sensitive : nil
        if finding.isHidden, kind == nil {
            meaning.put(hidden: value.count)
            meaning.endText()
        }
        if let kind {
            let isSame = kind == .track2 ? isSamePAN(value, window) : nil
            meaning.sensitive(kind, value, reveal: reveal, isSamePAN: isSame)
        }
        if !finding.hasRightLength { wrongLength(value.count, finding.element) }
        if kind == nil, !finding.isHidden, finding.hasRightLength {
            meaning.object(entry.tag, value, contexts[entry.depth])
        }
    }

    private mutating func wrongLength(_ count: Int, _ element: Int) {
        let lengths = table.elements[element]
        let start = meaning.bytes.count
        meaning.put("wrong length ")
        meaning.put(count)
        meaning.put(", needs ")
        meaning.put(lengths.shortest)
        if lengths.longest > lengths.shortest {
            meaning.put(" to ")
            meaning.put(lengths.longest)
            if lengths.step > 1 {
                meaning.put(" in steps of ")
                meaning.put(lengths.step)
            }
        }
        meaning.endLine()
        meaning.faults.append(
            .init(code: .wrongLength, message: .bytes(start..<meaning.bytes.count)))
    }

    private mutating func report(_ fault: Meaning.Fault, _ index: Int, _ entries: [TLVOutline.Entry]) {
        let entry = entries[index]
        let offset = base + entry.offset
        guard !problems.isFull else { return problems.addUncounted(1, at: offset) }
        let problem = DecodeReport.Problem(
            offset: offset, path: (0...entry.depth).map { entries[ancestors[$0]].tag }, code: fault.code,
            message: name(findings[index].element) + ": " + meaning.sentence(of: fault))
        problems.add(problem, at: offset)
    }

    private func name(_ element: Int) -> String {
        guard element >= 0 else { return "unknown" }
        let place = table.elements[element]
        return String(decoding: table.labels[place.nameStart..<place.labelEnd], as: UTF8.self)
    }

    /// The meaning of a value that stands without tag and length, in one line.
    mutating func text(of tag: Tag, _ value: [UInt8]) -> String? {
        let position = table.position(of: tag)
        guard position >= 0, table.elements[position].allows(value.count), !tag.isConstructed else { return nil }
        meaning.removeAll()
        meaning.object(tag, value.span, carried)
        return meaning.textEnd.map { String(decoding: meaning.bytes[..<$0], as: UTF8.self) }
    }

    /// Whether the PAN of track 2 is that of tag 5A; nil when one of them is missing.
    private func isSamePAN(_ track: Span<UInt8>, _ window: Span<UInt8>) -> Bool? {
        guard let firstPAN, let count = PANDigits.count(track2: track) else { return nil }
        guard count == firstPAN.count else { return false }
        let pan = window.extracting(firstPAN.range)
        for place in 0..<count where PANDigits.nibble(place, pan) != PANDigits.nibble(place, track) { return false }
        return true
    }
}

extension Meaning {
    fileprivate mutating func put(notes: TLVNotes) {
        if notes.contains(.nonMinimalLength) { line("note: the length is not in its shortest form") }
        if notes.contains(.nonMinimalTag) { line("note: the tag's number begins with a zero") }
        if notes.contains(.guessedLength) { line("guess: the invalid length byte was read as a plain number") }
        if notes.contains(.truncatedValue) { line("the data ends before this object does") }
    }
}
