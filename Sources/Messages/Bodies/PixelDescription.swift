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
        /// Two planes: brightness, and colour for each 2 x 2 pixels.
        case nv12

        /// Bytes of one pixel; of NV12, in its plane of brightness.
        public var bytesPerPixel: Int {
            switch self {
            case .bgra, .rgba: 4
            case .gray, .nv12: 1
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
    /// Bytes from the start of a row to the start of the next one, padding included; of NV12, in its
    /// plane of brightness.
    public let bytesPerRow: Int
    /// What NV12 pixels hold besides; nil for the other layouts.
    public let video: VideoDescription?
    /// Bytes that the buffer must have at least; the last row needs no padding.
    public var bytesMin: Int {
        video?.bytesMin(width: width, height: height)
            ?? (height - 1) * bytesPerRow + width * layout.bytesPerPixel
    }

    /// From its parts; without `bytesPerRow` the rows have no padding. NV12 has an initialiser of
    /// its own, and is a precondition failure here.
    ///
    /// - Throws: `JSONError` for a side out of range, rows that overlap, or a buffer that no
    ///   frame can hold.
    public init(
        hash: ContentHash, layout: Layout, width: Int, height: Int, bytesPerRow: Int? = nil
    ) throws(JSONError) {
        precondition(layout != .nv12, "NV12 is described by a VideoDescription")
        try self.init(
            hash: hash, layout: layout, width: width, height: height, bytesPerRow: bytesPerRow,
            video: nil)
    }

    /// A buffer of NV12 pixels.
    ///
    /// - Throws: `JSONError` for a side out of range, rows that overlap, or a buffer that no
    ///   frame can hold.
    public init(
        hash: ContentHash, width: Int, height: Int, video: VideoDescription
    ) throws(JSONError) {
        try video.checkRows(width: width)
        try self.init(
            hash: hash, layout: .nv12, width: width, height: height,
            bytesPerRow: video.luma.bytesPerRow, video: video)
    }

    private init(
        hash: ContentHash, layout: Layout, width: Int, height: Int, bytesPerRow: Int?,
        video: VideoDescription?
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
        self.video = video
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
        let all = [
            "hash", "layout", "width", "height", "bytesPerRow", "range", "matrix", "planes",
        ]
        let layoutName = try Members(value, at: path, allowing: all).required("layout")
        let layout = layoutName.text.flatMap(Layout.init(rawValue:))
        let left = layout == .nv12 ? ["bytesPerRow"] : ["range", "matrix", "planes"]
        let members = try Members(
            value, at: path, allowing: all.filter { !left.contains($0) })
        guard let layout else {
            throw JSONError("\(members.place("layout")) must be bgra, rgba, gray or nv12")
        }
        let sides = 1...Limits.pictureSideMax
        let hash = try members.requiredHash("hash")
        for side in ["width", "height"] { _ = try members.required(side) }
        let width = try members.integer("width", in: sides) ?? 0
        let height = try members.integer("height", in: sides) ?? 0
        if layout == .nv12 {
            let video = try VideoDescription(members, width: width, height: height)
            try self.init(hash: hash, width: width, height: height, video: video)
            return
        }
        let row = try members.integer("bytesPerRow", in: 1...Limits.frameBytesMax)
        try self.init(hash: hash, layout: layout, width: width, height: height, bytesPerRow: row)
    }

    /// The document.
    public var json: JSONValue {
        var members = video?.members ?? ["bytesPerRow": .integer(bytesPerRow)]
        members["hash"] = .string(hash.description)
        members["layout"] = .string(layout.rawValue)
        members["width"] = .integer(width)
        members["height"] = .integer(height)
        return .object(members)
    }
}
