/// The names of catalogs.
public enum CatalogName {
    /// The catalog of a request or record that names none.
    public static let main = "main"
}
