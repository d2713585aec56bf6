/// What a raw buffer of NV12 video pixels holds besides its size.
public struct VideoDescription: Sendable, Equatable {
    /// Which numbers mean black and white.
    public enum Range: String, Sendable, CaseIterable {
        /// 16…235 for brightness, 16…240 for colour.
        case video
        /// 0…255.
        case full
    }
    /// How brightness and colour are made of red, green and blue.
    public enum Matrix: String, Sendable, CaseIterable {
        /// ITU-R BT.601.
        case bt601
        /// ITU-R BT.709.
        case bt709
    }
    /// Where the rows of one plane lie in the buffer.
    public struct Plane: Sendable, Equatable {
        /// Bytes before its first row.
        public let offset: Int
        /// Bytes from the start of a row to the start of the next one.
        public let bytesPerRow: Int

        /// From its parts.
        public init(offset: Int, bytesPerRow: Int) {
            self.offset = offset
            self.bytesPerRow = bytesPerRow
        }
    }

    /// Which numbers mean black and white.
    public let range: Range
    /// How brightness and colour are made.
    public let matrix: Matrix
    /// The plane of brightness, a byte a pixel.
    public let luma: Plane
    /// The plane of colour: pairs of blue and red difference, one for each 2 x 2 pixels.
    public let chroma: Plane

    /// From its parts.
    public init(range: Range, matrix: Matrix, luma: Plane, chroma: Plane) {
        self.range = range
        self.matrix = matrix
        self.luma = luma
        self.chroma = chroma
    }

    /// Planes that follow one another without padding.
    public init(range: Range, matrix: Matrix, width: Int, height: Int) {
        self.init(
            range: range, matrix: matrix, luma: Plane(offset: 0, bytesPerRow: width),
            chroma: Plane(offset: width * height, bytesPerRow: Self.chromaBytes(width)))
    }

    /// Bytes of a row of colour.
    static func chromaBytes(_ width: Int) -> Int { 2 * ((width + 1) / 2) }

    /// Bytes that the buffer must have at least.
    func bytesMin(width: Int, height: Int) -> Int {
        max(
            luma.offset + (height - 1) * luma.bytesPerRow + width,
            chroma.offset + ((height + 1) / 2 - 1) * chroma.bytesPerRow + Self.chromaBytes(width))
    }

    /// Refuses rows that overlap.
    func checkRows(width: Int) throws(JSONError) {
        for (index, (plane, least)) in [(luma, width), (chroma, Self.chromaBytes(width))]
            .enumerated()
        {
            guard (least...Limits.frameBytesMax).contains(plane.bytesPerRow),
                (0...Limits.frameBytesMax).contains(plane.offset)
            else {
                throw JSONError(
                    "planes[\(index)]: bytesPerRow must be from \(least) to "
                        + "\(Limits.frameBytesMax), and offset from 0")
            }
        }
    }

    init(_ members: Members, width: Int, height: Int) throws(JSONError) {
        guard let range = try members.required("range").text.flatMap(Range.init(rawValue:)) else {
            throw JSONError("\(members.place("range")) must be video or full")
        }
        guard let matrix = try members.required("matrix").text.flatMap(Matrix.init(rawValue:))
        else { throw JSONError("\(members.place("matrix")) must be bt601 or bt709") }
        guard let value = members.value("planes") else {
            self.init(range: range, matrix: matrix, width: width, height: height)
            return
        }
        let place = members.place("planes")
        guard let planes = value.array, planes.count == 2 else {
            throw JSONError("\(place) must be two planes")
        }
        self.init(
            range: range, matrix: matrix, luma: try Self.plane(planes[0], at: "\(place)[0]"),
            chroma: try Self.plane(planes[1], at: "\(place)[1]"))
    }

    private static func plane(_ value: JSONValue, at path: String) throws(JSONError) -> Plane {
        let members = try Members(value, at: path, allowing: ["offset", "bytesPerRow"])
        for name in ["offset", "bytesPerRow"] { _ = try members.required(name) }
        let bytes = Limits.frameBytesMax
        return Plane(
            offset: try members.integer("offset", in: 0...bytes) ?? 0,
            bytesPerRow: try members.integer("bytesPerRow", in: 1...bytes) ?? 0)
    }

    /// The members that describe it.
    var members: [String: JSONValue] {
        [
            "range": .string(range.rawValue), "matrix": .string(matrix.rawValue),
            "planes": .array(
                [luma, chroma].map {
                    .object([
                        "offset": .integer($0.offset), "bytesPerRow": .integer($0.bytesPerRow),
                    ])
                }),
        ]
    }
}
