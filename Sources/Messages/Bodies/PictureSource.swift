/// A picture that a request brings along as an attachment, encoded or as raw pixels.
public enum PictureSource: Sendable, Equatable {
    /// An encoded picture (PNG, JPEG), named by its hash.
    case picture(ContentHash)
    /// A pixel buffer.
    case pixels(PixelDescription)
}

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

/// A selected rectangle of a picture, in pixels of the upright picture.
public struct RegionDescription: Sendable, Equatable {
    /// Pixels from the left edge, 0 or more.
    public let x: Int
    /// Pixels from the upper edge, 0 or more.
    public let y: Int
    /// Pixels, 1 or more.
    public let width: Int
    /// Pixels, 1 or more.
    public let height: Int

    /// From its parts; nil unless x and y are 0 to `Limits.pictureSideMax` and the sides 1 to it.
    public init?(x: Int, y: Int, width: Int, height: Int) {
        let places = 0...Limits.pictureSideMax
        guard places.contains(x), places.contains(y), places.contains(width), width > 0,
            places.contains(height), height > 0
        else { return nil }
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    init(_ value: JSONValue, at place: String) throws(JSONError) {
        let numbers = value.array?.compactMap(\.integer) ?? []
        guard value.array?.count == 4, numbers.count == 4,
            let region = Self(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        else {
            throw JSONError(
                "\(place) must be [x, y, width, height]: whole pixels up to "
                    + "\(Limits.pictureSideMax), width and height above 0")
        }
        self = region
    }

    var json: JSONValue { .array([x, y, width, height].map { .integer($0) }) }
}

/// A place on the earth, in degrees.
public struct Coordinates: Sendable, Equatable {
    /// -90 (south) to 90 (north).
    public let latitude: Double
    /// -180 (west) to 180 (east).
    public let longitude: Double

    /// From degrees; nil out of range or if not a number.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ value: JSONValue, at path: String) throws(JSONError) {
        let members = try Members(value, at: path, allowing: ["latitude", "longitude"])
        latitude = try members.number("latitude", in: -90...90)
        longitude = try members.number("longitude", in: -180...180)
    }

    var json: JSONValue {
        .object(["latitude": .number(latitude), "longitude": .number(longitude)])
    }
}

/// What `picture`, `pixels` and `print` of a request may say together.
struct SubjectMembers {
    let source: PictureSource?
    let print: ContentHash?
    let region: RegionDescription?

    /// At most one of the three, and a region only of what has pixels.
    init(_ members: Members) throws(JSONError) {
        let given = ["picture", "pixels", "print"].filter { members.value($0) != nil }
        guard given.count <= 1 else {
            throw JSONError("\(given.joined(separator: " and ")) exclude each other")
        }
        print = try members.hash("print")
        if let hash = try members.hash("picture") {
            source = .picture(hash)
        } else if let value = members.value("pixels") {
            source = .pixels(try PixelDescription(value, at: members.place("pixels")))
        } else {
            source = nil
        }
        guard let value = members.value("region") else {
            region = nil
            return
        }
        guard source != nil else { throw JSONError("region needs picture or pixels") }
        region = try RegionDescription(value, at: members.place("region"))
    }
}

extension MemberList {
    mutating func add(_ source: PictureSource) {
        switch source {
        case .picture(let hash): add("picture", hash: hash)
        case .pixels(let pixels): add("pixels", pixels.json)
        }
    }
}
