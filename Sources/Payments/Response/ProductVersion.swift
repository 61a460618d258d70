/// The version of ReaderKit, as `bp_version` and `readerctl --version` give it.
public enum ProductVersion {
    public static let text = "0.1.0"
}
