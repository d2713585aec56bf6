import Messages

/// A text with places for properties: `{name}`.
struct Template: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case literal(String)
        case placeholder(String)
    }

    let source: String
    let parts: [Part]

    init(_ node: DocumentNode) throws(CatalogError) {
        source = try node.text(bytesMax: Limits.templateBytesMax)
        var parts: [Part] = []
        var rest = source[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw node.fault("has a brace without its other half; braces name properties only")
            }
            parts.append(.placeholder(String(rest[open..<close].dropFirst())))
            rest = rest[close...].dropFirst()
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.parts = parts
    }

    /// The names in braces, in order.
    var placeholders: [String] {
        parts.compactMap {
            guard case .placeholder(let name) = $0 else { return nil }
            return name
        }
    }

    /// For people. The literal between two placeholders separates them: it is left out if there is
    /// nothing before or behind it, so `{director}, {year}` never leaves a lone comma.
    func display(_ value: (String) -> String?) -> String {
        var text = ""
        var literal = ""
        var isFirst = true
        var hasValue = false
        for part in parts {
            switch part {
            case .literal(let characters): literal = characters
            case .placeholder(let name):
                if let value = value(name), !value.isEmpty {
                    text += (hasValue || isFirst ? literal : "") + value
                    hasValue = true
                }
                (literal, isFirst) = ("", false)
            }
        }
        return hasValue || isFirst ? text + literal : text
    }

    /// For machines: every value percent-encoded, so that it is one segment of a route.
    func route(_ value: (String) -> String?) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let characters): text += characters
            case .placeholder(let name): text += Self.percentEncoded(value(name) ?? "")
            }
        }
        return text
    }

    /// Everything but RFC 3986's unreserved characters as `%` and two upper-case digits.
    static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if DocumentNode.isName("a" + String(UnicodeScalar(byte)), others: "-._~") {
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                encoded += "%" + Hex.encode([byte]).uppercased()
            }
        }
        return encoded
    }
}
