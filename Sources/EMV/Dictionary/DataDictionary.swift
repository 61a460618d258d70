public import BERTLV

/// The data objects that ReaderKit knows by name. Unknown tags are legal everywhere.
public enum DataDictionary {
    /// All entries, ordered by tag.
    public static let elements: [DataElement] =
        (cardElements + certificateElements + terminalElements + templateElements + contactlessElements
        + kernel2Elements
        + readerElements).sorted { $0.tag < $1.tag }

    private static let byTag = Dictionary(elements.map { ($0.tag, $0) }, uniquingKeysWith: { first, _ in first })

    public static func element(for tag: Tag) -> DataElement? { byTag[tag] }

    /// The object's name, or `unknown`.
    public static func name(of tag: Tag) -> String { byTag[tag]?.name ?? "unknown" }

    /// How the object is cut and filled for a data object list; an unknown one as binary.
    public static func dolFormat(of tag: Tag) -> DOLFormat { byTag[tag]?.dolFormat ?? .other }
}
