import Messages

/// One place of a JSON document that is read strictly: every fault names the place and what is
/// allowed there.
struct DocumentNode {
    let value: JSONValue
    let code: CatalogError.Code
    /// The names and indices that lead here; none for the whole document.
    private let path: [String]

    init(_ value: JSONValue, code: CatalogError.Code) {
        self.init(value, path: [], code: code)
    }
    private init(_ value: JSONValue, path: [String], code: CatalogError.Code) {
        self.value = value
        self.path = path
        self.code = code
    }

    /// What is wrong here, behind the place as a JSON pointer (RFC 6901).
    func fault(_ sentence: String) -> CatalogError {
        let pointer = path.map { name in
            let shown = name.prefix(Self.shownMax)
            return "/" + shown.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
        return CatalogError(code, "\(path.isEmpty ? "the document" : pointer) \(sentence)")
    }

    func child(_ name: String, _ value: JSONValue) -> DocumentNode {
        DocumentNode(value, path: path + [name], code: code)
    }

    /// Members with names of any kind, in the order of their names' bytes.
    func members(_ kind: String, max: Int) throws(CatalogError) -> [(
        name: String, node: DocumentNode
    )] {
        guard let object = value.object else { throw fault("must be an object: \(kind)") }
        guard object.count <= max else {
            throw fault("has \(object.count) members; at most \(max) are allowed")
        }
        return object.sorted { utf8Precedes($0.key, $1.key) }.map {
            ($0.key, child($0.key, $0.value))
        }
    }

    /// Members with the allowed names only, so that a misspelt name is seen.
    func members(allowed: [String]) throws(CatalogError) -> [String: DocumentNode] {
        var nodes: [String: DocumentNode] = [:]
        let list = allowed.joined(separator: ", ")
        for (name, node) in try members(list, max: .max) {
            guard allowed.contains(name) else {
                throw fault("has the unknown member \(Self.shown(name)); allowed are \(list)")
            }
            nodes[name] = node
        }
        return nodes
    }

    /// A member that must be there.
    func member(
        _ name: String, of members: [String: DocumentNode]
    ) throws(CatalogError) -> DocumentNode {
        guard let node = members[name] else { throw fault("lacks the member \"\(name)\"") }
        return node
    }

    func elements(max: Int) throws(CatalogError) -> [DocumentNode] {
        guard let array = value.array else { throw fault("must be an array") }
        guard array.count <= max else {
            throw fault("has \(array.count) elements; at most \(max) are allowed")
        }
        return array.enumerated().map { child("\($0.offset)", $0.element) }
    }

    /// A text that is not blank.
    func text(bytesMax: Int) throws(CatalogError) -> String {
        guard let text = value.text else { throw fault("must be a text") }
        guard !text.allSatisfy(\.isWhitespace) else { throw fault("must not be blank") }
        guard text.utf8.count <= bytesMax else {
            throw fault("has \(text.utf8.count) bytes; at most \(bytesMax) are allowed")
        }
        return text
    }

    /// An ASCII letter, then letters, digits and the other characters given.
    func name(others: String) throws(CatalogError) -> String {
        let text = try text(bytesMax: Limits.typeNameBytesMax)
        guard Self.isName(text, others: others) else {
            throw fault(
                "is \(Self.shown(text)); allowed are ASCII letters, digits and \"\(others)\", "
                    + "a letter first")
        }
        return text
    }

    /// A key of an entity: no control characters, because keys end with a zero byte on the wire.
    func identifier() throws(CatalogError) -> String {
        let text = try text(bytesMax: Limits.nameBytesMax)
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw fault("must not contain control characters")
        }
        return text
    }

    func integer(in range: ClosedRange<Int>) throws(CatalogError) -> Int {
        guard let integer = value.integer, range.contains(integer) else {
            throw fault(
                "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func number() throws(CatalogError) -> Double {
        guard let number = value.double, number.isFinite else { throw fault("must be a number") }
        return number
    }

    func bool() throws(CatalogError) -> Bool {
        guard let bool = value.bool else { throw fault("must be true or false") }
        return bool
    }

    func hash() throws(CatalogError) -> ContentHash {
        guard let hash = value.text.flatMap({ ContentHash(hex: $0) }) else {
            throw fault("must be a SHA-256 as 64 lower-case hexadecimal digits")
        }
        return hash
    }

    /// General terms, kept in the order given.
    func labels() throws(CatalogError) -> [String] {
        var labels: [String] = []
        for element in try elements(max: Limits.labelsMax) {
            labels.append(try element.text(bytesMax: Limits.labelBytesMax))
        }
        return labels
    }

    static func isName(_ text: String, others: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || others.utf8.contains($0)
        }
    }

    /// What comes from outside is shown shortened.
    static func shown(_ text: String) -> String {
        text.count > shownMax ? "\"\(text.prefix(shownMax))…\"" : "\"\(text)\""
    }

    private static let shownMax = 60

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
