/// What the bytes of a raw pixel buffer mean.
public struct PixelDescription: JSONBody {
    /// How the samples of one pixel follow each other, 8 bits each.
    public enum Layout: String, Sendable, CaseIterable {
        /// Blue, green, red, alpha.
        case bgra
        /// Red, green, blue, alpha.
        case rgba
        /// One grey value.
        case gray

        /// Bytes of one pixel.
        public var bytesPerPixel: Int {
            switch self {
            case .bgra, .rgba: 4
            case .gray: 1
            }
        }
    }

    /// The attachment that holds the bytes.
    public let hash: ContentHash
    /// How the samples follow each other.
    public let layout: Layout
    /// Pixels of a row, 1 to `Limits.pictureSideMax`.
    public let width: Int
    /// Rows, 1 to `Limits.pictureSideMax`.
    public let height: Int
    /// Bytes from the start of a row to the start of the next one, padding included.
    public let bytesPerRow: Int
    /// Bytes that the buffer must have at least; the last row needs no padding.
    public var bytesMin: Int { (height - 1) * bytesPerRow + width * layout.bytesPerPixel }

    /// From its parts; without `bytesPerRow` the rows have no padding.
    ///
    /// - Throws: `JSONError` for a side out of range, rows that overlap, or a buffer that no
    ///   frame can hold.
    public init(
        hash: ContentHash, layout: Layout, width: Int, height: Int, bytesPerRow: Int? = nil
    ) throws(JSONError) {
        let sides = 1...Limits.pictureSideMax
        guard sides.contains(width), sides.contains(height) else {
            throw JSONError("width and height must be from 1 to \(Limits.pictureSideMax)")
        }
        let rowMin = width * layout.bytesPerPixel
        let row = bytesPerRow ?? rowMin
        guard row >= rowMin, row <= Limits.frameBytesMax else {
            throw JSONError("bytesPerRow must be from \(rowMin) to \(Limits.frameBytesMax)")
        }
        self.hash = hash
        self.layout = layout
        self.width = width
        self.height = height
        self.bytesPerRow = row
        guard bytesMin <= Limits.frameBytesMax else {
            throw JSONError(
                "the pixels have \(bytesMin) bytes; a frame has at most \(Limits.frameBytesMax)")
        }
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        try self.init(value, at: "")
    }

    init(_ value: JSONValue, at path: String) throws(JSONError) {
        let members = try Members(
            value, at: path, allowing: ["hash", "layout", "width", "height", "bytesPerRow"])
        let layoutName = try members.required("layout")
        guard let layout = layoutName.text.flatMap(Layout.init(rawValue:)) else {
            throw JSONError("\(members.place("layout")) must be bgra, rgba or gray")
        }
        let sides = 1...Limits.pictureSideMax
        let hash = try members.requiredHash("hash")
        for side in ["width", "height"] { _ = try members.required(side) }
        let width = try members.integer("width", in: sides) ?? 0
        let height = try members.integer("height", in: sides) ?? 0
        let row = try members.integer("bytesPerRow", in: 1...Limits.frameBytesMax)
        try self.init(hash: hash, layout: layout, width: width, height: height, bytesPerRow: row)
    }

    /// The document.
    public var json: JSONValue {
        .object([
            "hash": .string(hash.description), "layout": .string(layout.rawValue),
            "width": .integer(width), "height": .integer(height),
            "bytesPerRow": .integer(bytesPerRow),
        ])
    }
}
