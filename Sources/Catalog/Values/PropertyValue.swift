public import Messages

/// The value of one property of an entity.
public enum PropertyValue: Sendable, Equatable {
    /// A text, not blank.
    case string(String)
    /// A text in one or several languages.
    case localizedString(LocalizedText)
    /// A finite number.
    case number(Double)
    /// A day or an instant.
    case date(ZonedDate)
    /// A place.
    case geoPoint(GeoPoint)
    /// Several texts, in the order given.
    case stringList([String])

    init(_ node: DocumentNode, kind: PropertyKind) throws(CatalogError) {
        let bytesMax = Limits.propertyBytesMax
        switch kind {
        case .string: self = .string(try node.text(bytesMax: bytesMax))
        case .localizedString:
            self = .localizedString(try LocalizedText(node, bytesMax: bytesMax))
        case .number: self = .number(try node.number())
        case .date:
            guard let date = node.value.text.flatMap(ZonedDate.init) else {
                throw node.fault(
                    "must be a day (2026-12-05) or an instant with its offset "
                        + "(2026-12-05T20:00:00+01:00, a zone in brackets may follow)")
            }
            self = .date(date)
        case .geoPoint: self = .geoPoint(try GeoPoint(node))
        case .stringList:
            var texts: [String] = []
            for element in try node.elements(max: Limits.listElementsMax) {
                texts.append(try element.text(bytesMax: bytesMax))
            }
            self = .stringList(texts)
        }
    }

    /// As it was given.
    public var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .localizedString(let text): text.json
        case .number(let number): .number(number)
        case .date(let date): .string(date.text)
        case .geoPoint(let point): point.json
        case .stringList(let texts): .array(texts.map { .string($0) })
        }
    }

    /// For people, in the language of a locale; a list is joined by commas.
    public func display(locale: String?) -> String {
        switch self {
        case .string(let text): text
        case .localizedString(let text): text.text(locale: locale)
        case .number: String(decoding: json.canonical(), as: UTF8.self)
        case .date(let date): date.display
        case .geoPoint(let point): "\(point.latitude), \(point.longitude)"
        case .stringList(let texts): texts.joined(separator: ", ")
        }
    }

    /// The texts that it can be found by: of a localised string those of all languages.
    public var names: [String] {
        switch self {
        case .string(let text): [text]
        case .localizedString(let text): text.texts
        case .stringList(let texts): texts
        case .number, .date, .geoPoint: []
        }
    }

    /// The names in the form in which they are compared, sorted, each once.
    var foldedNames: [String] {
        var seen: [String] = []
        for name in names.map(\.folded).sorted() where seen.last != name { seen.append(name) }
        return seen
    }
}
