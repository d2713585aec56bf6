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
