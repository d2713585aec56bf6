/// The schemes that open-intent routes may have.
///
/// Clients open a route as it stands, so that a scheme which runs or reads something where it is
/// opened (`javascript:`, `data:`, `file:`) must never get into a catalog. Allowed are `https`,
/// `sightline`, the private-use schemes of apps, which have a period (`com.example.app`, RFC 8252,
/// section 7.1), and what the people who run the deployment name.
public struct RouteSchemes: Sendable, Equatable {
    /// In lower case.
    private let names: Set<String>

    /// The standard ones and more by name; case does not matter (RFC 3986, section 3.1).
    public init(more: [String] = []) {
        names = Set(["https", "sightline"] + more.map { $0.lowercased() })
    }

    /// Whether a text can be a scheme (RFC 3986).
    public static func isScheme(_ text: String) -> Bool {
        DocumentNode.isName(text, others: "+.-")
    }

    /// Whether a scheme is allowed.
    public func allows(_ scheme: String) -> Bool {
        names.contains(scheme.lowercased()) || scheme.contains(".")
    }

    /// Checks the route of a type.
    ///
    /// - Throws: `CatalogError` with `badType`, which names the schemes that are allowed.
    public func check(_ type: EntityType) throws(CatalogError) {
        guard !allows(type.routeScheme) else { return }
        throw CatalogError(
            .badType,
            "/open of \(type.name) has the scheme \(DocumentNode.shown(type.routeScheme)); allowed "
                + "are \(names.sorted().joined(separator: ", ")) and those with a period, such as "
                + "com.example.app; the servers allow others with --route-scheme")
    }
}
