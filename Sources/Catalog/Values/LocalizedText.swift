public import Messages

/// A text in one or several languages.
public enum LocalizedText: Sendable, Equatable {
    /// One text for every locale; in JSON a text.
    case plain(String)
    /// Texts by language tag (BCP 47: "en", "de-AT"); in JSON an object.
    case byLanguage([String: String])

    /// The text for a locale such as "de_AT" or "de-AT".
    ///
    /// The locale's tag is shortened from its end until a language fits (RFC 4647, lookup); then
    /// English, then the first language by the bytes of its tag. Case and "_" for "-" do not
    /// matter.
    public func text(locale: String?) -> String {
        switch self {
        case .plain(let text): return text
        case .byLanguage(let texts):
            let tags = texts.keys.sorted(by: utf8Precedes)
            for wanted in Self.lookupChain(locale) {
                if let tag = tags.first(where: { Self.canonicalTag($0) == wanted }),
                    let text = texts[tag]
                {
                    return text
                }
            }
            return tags.first.flatMap { texts[$0] } ?? ""
        }
    }

    /// All texts, in the order of their tags.
    public var texts: [String] {
        switch self {
        case .plain(let text): [text]
        case .byLanguage(let texts):
            texts.sorted { utf8Precedes($0.key, $1.key) }.map(\.value)
        }
    }

    /// The text, or the object of texts.
    public var json: JSONValue {
        switch self {
        case .plain(let text): .string(text)
        case .byLanguage(let texts): .object(texts.mapValues { .string($0) })
        }
    }

    init(_ node: DocumentNode, bytesMax: Int) throws(CatalogError) {
        guard node.value.object != nil else {
            guard node.value.text != nil else {
                throw node.fault("must be a text or an object of texts by language")
            }
            self = .plain(try node.text(bytesMax: bytesMax))
            return
        }
        var texts: [String: String] = [:]
        for (tag, child) in try node.members("texts by language", max: Limits.languagesMax) {
            guard DocumentNode.isName(tag, others: "-_"), tag.utf8.count <= 35 else {
                throw node.fault("has \(DocumentNode.shown(tag)), which is no language tag")
            }
            texts[tag] = try child.text(bytesMax: bytesMax)
        }
        guard !texts.isEmpty else { throw node.fault("must have at least one language") }
        self = .byLanguage(texts)
    }

    private static func canonicalTag(_ tag: some StringProtocol) -> String {
        tag.lowercased().replacing("_", with: "-")
    }

    private static func lookupChain(_ locale: String?) -> [String] {
        // A locale may carry an encoding ("de_DE.UTF-8") or keywords ("de_DE@calendar=…").
        let plain = locale?.prefix { $0 != "." && $0 != "@" } ?? ""
        var subtags = canonicalTag(plain).split(separator: "-").prefix(8)
        var chain: [String] = []
        while !subtags.isEmpty {
            chain.append(subtags.joined(separator: "-"))
            subtags.removeLast()
        }
        return chain + ["en"]
    }
}
