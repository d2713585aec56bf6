/// The names of catalogs.
public enum CatalogName {
    /// The catalog of a request or record that names none.
    public static let main = "main"

    /// Whether a text may name a catalog: 1 to `Limits.nameBytesMax` bytes without control
    /// characters.
    public static func isAllowed(_ text: String) -> Bool { Members.isName(text) }
}
