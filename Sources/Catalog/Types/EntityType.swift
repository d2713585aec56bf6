public import Messages

/// A kind of entity, declared in a JSON document by the people who run the deployment.
///
/// ```json
/// {"type": "album", "version": 1,
///  "display": {"name": {"en": "Album"}, "title": "{name}", "subtitle": "{artistName}"},
///  "open": "sightline://album/{id}",
///  "properties": {"name": {"kind": "string", "required": true},
///                 "artistName": {"kind": "string", "required": true, "calendarName": true}},
///  "labels": ["album"],
///  "relations": [{"name": "concerts", "to": "concert", "match": {"artistName": "artistName"},
///                 "within": {"property": "location", "kilometers": 100},
///                 "days": {"property": "date", "next": 90}, "most": 3, "weight": 100}]}
/// ```
/// `schemas/bodies/type.declare.schema.json` describes the document; reading it also checks what
/// a schema cannot: that templates and relations name declared properties.
public struct EntityType: Sendable, Equatable {
    /// An ASCII letter, then letters, digits, ".", "_", "-".
    public let name: String
    /// 1…`Limits.typeVersionMax`; a higher one replaces a lower one.
    public let version: Int
    /// What one entity of the type is called.
    public let displayName: LocalizedText
    /// By name.
    public let properties: [String: PropertyDeclaration]
    /// General terms that every entity of the type carries.
    public let labels: [String]
    /// What the type's entities bring along, in the order declared.
    public let relations: [Relation]

    let title: Template
    let subtitle: Template?
    let open: Template

    /// Reads a declaration.
    ///
    /// - Throws: `CatalogError` with `badType`, which names the place and what is allowed there.
    public init(parsing document: JSONValue) throws(CatalogError) {
        let node = DocumentNode(document, code: .badType)
        let members = try node.members(allowed: [
            "type", "version", "display", "open", "properties", "labels", "relations",
        ])
        name = try node.member("type", of: members).name(others: "._-")
        version = try node.member("version", of: members).integer(in: 1...Limits.typeVersionMax)
        let properties = try Self.properties(try node.member("properties", of: members))
        self.properties = properties

        let displayNode = try node.member("display", of: members)
        let display = try displayNode.members(allowed: ["name", "title", "subtitle"])
        displayName = try LocalizedText(
            try displayNode.member("name", of: display), bytesMax: Limits.nameBytesMax)
        title = try Self.displayTemplate(
            try displayNode.member("title", of: display), properties: properties)
        if let subtitle = display["subtitle"] {
            self.subtitle = try Self.displayTemplate(subtitle, properties: properties)
        } else {
            subtitle = nil
        }
        open = try Self.routeTemplate(try node.member("open", of: members), properties: properties)
        labels = try members["labels"]?.labels() ?? []
        relations =
            try members["relations"].map { node throws(CatalogError) in
                try Self.relations(node, properties: properties)
            } ?? []
    }

    /// The declaration; what has its default is left out. Reading it gives an equal type.
    public var json: JSONValue {
        var display: [String: JSONValue] = [
            "name": displayName.json, "title": .string(title.source),
        ]
        if let subtitle { display["subtitle"] = .string(subtitle.source) }
        var members: [String: JSONValue] = [
            "type": .string(name), "version": .integer(version), "display": .object(display),
            "open": .string(open.source), "properties": .object(properties.mapValues(\.json)),
        ]
        if !labels.isEmpty { members["labels"] = .array(labels.map { .string($0) }) }
        if !relations.isEmpty { members["relations"] = .array(relations.map(\.json)) }
        return .object(members)
    }

    /// The scheme of the route, as it was given.
    public var routeScheme: String { String(open.source.prefix { $0 != ":" }) }

    private static func properties(
        _ node: DocumentNode
    ) throws(CatalogError) -> [String: PropertyDeclaration] {
        var properties: [String: PropertyDeclaration] = [:]
        for (name, child) in try node.members("declarations by name", max: Limits.propertiesMax) {
            guard DocumentNode.isName(name, others: "_"), name != "id",
                name.utf8.count <= Limits.typeNameBytesMax
            else {
                throw node.fault(
                    "has \(DocumentNode.shown(name)); a name is an ASCII letter, then letters, "
                        + "digits and \"_\", at most \(Limits.typeNameBytesMax), and not \"id\"")
            }
            properties[name] = try PropertyDeclaration(child)
        }
        guard !properties.isEmpty else { throw node.fault("must declare at least one property") }
        return properties
    }

    private static func displayTemplate(
        _ node: DocumentNode, properties: [String: PropertyDeclaration]
    ) throws(CatalogError) -> Template {
        let template = try Template(node)
        for name in template.placeholders where name != "id" && properties[name] == nil {
            throw node.fault("names \(DocumentNode.shown(name)), which is no property of the type")
        }
        return template
    }

    private static func routeTemplate(
        _ node: DocumentNode, properties: [String: PropertyDeclaration]
    ) throws(CatalogError) -> Template {
        let template = try Template(node)
        for name in template.placeholders where name != "id" {
            guard let property = properties[name], property.isRequired,
                property.kind == .string || property.kind == .number
            else {
                throw node.fault(
                    "names \(DocumentNode.shown(name)); a route may name \"id\" and required "
                        + "properties of the kinds string and number")
            }
        }
        guard !template.placeholders.isEmpty, isRoute(template) else {
            throw node.fault(
                "must be a URI with a scheme and at least one property, such as "
                    + "sightline://album/{id}")
        }
        guard hasFixedHost(template) else {
            throw node.fault(
                "must name its host itself, and no property may stand in it: "
                    + "https://example.org/{id}")
        }
        return template
    }

    /// An entity's value never decides which host a route of the web leads to.
    private static func hasFixedHost(_ template: Template) -> Bool {
        guard case .literal(let start) = template.parts.first,
            let slashes = start.firstRange(of: "://"),
            ["http", "https"].contains(start[..<slashes.lowerBound].lowercased())
        else { return true }
        let host = start[slashes.upperBound...].prefix { !"/?#".contains($0) }
        return !host.isEmpty && host.endIndex < start.endIndex
    }

    private static func isRoute(_ template: Template) -> Bool {
        guard case .literal(let start) = template.parts.first,
            let colon = start.firstIndex(of: ":"),
            DocumentNode.isName(String(start[..<colon]), others: "+.-")
        else { return false }
        // RFC 3986's reserved and unreserved characters, and the percent sign.
        return template.parts.allSatisfy {
            guard case .literal(let text) = $0 else { return true }
            return DocumentNode.isName("a" + text, others: "-._~:/?#[]@!$&'()*+,;=%")
        }
    }

    private static func relations(
        _ node: DocumentNode, properties: [String: PropertyDeclaration]
    ) throws(CatalogError) -> [Relation] {
        var relations: [Relation] = []
        for element in try node.elements(max: Limits.relationsMax) {
            let relation = try Relation(element, properties: properties)
            guard !relations.contains(where: { $0.name == relation.name }) else {
                throw element.fault("has the name of an earlier relation, \(relation.name)")
            }
            relations.append(relation)
        }
        return relations
    }
}
