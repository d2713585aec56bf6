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
