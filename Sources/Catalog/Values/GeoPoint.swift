public import Messages

/// A place on the Earth, in degrees (WGS 84).
public struct GeoPoint: Sendable, Equatable {
    /// -90…90, north positive.
    public let latitude: Double
    /// -180…180, east positive.
    public let longitude: Double

    /// From degrees; nil if they are out of range.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// `{"latitude":…,"longitude":…}`.
    public var json: JSONValue {
        .object(["latitude": .number(latitude), "longitude": .number(longitude)])
    }

    init(_ node: DocumentNode) throws(CatalogError) {
        let members = try node.members(allowed: ["latitude", "longitude"])
        let latitude = try node.member("latitude", of: members).number()
        let longitude = try node.member("longitude", of: members).number()
        guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
            throw node.fault("must have a latitude in -90…90 and a longitude in -180…180")
        }
        self = point
    }

    /// Whether the great-circle distance to another point is at most some kilometers.
    ///
    /// On a sphere of the mean radius 6371.0088 km (IUGG), so within 0.6 % of the ellipsoid.
    /// Computed with basic arithmetic only: the same answer on every machine.
    public func isWithin(kilometers: Double, of other: GeoPoint) -> Bool {
        let halfAngle = kilometers / (2 * Self.earthRadius)
        guard halfAngle < Double.pi / 2 else { return true }
        guard halfAngle >= 0 else { return false }
        let halfChord = sine(halfAngle)
        return squaredChord(to: other) <= 4 * halfChord * halfChord
    }

    /// The square of the straight line to another point in units of the radius, 0…4: grows with
    /// the distance.
    func squaredChord(to other: GeoPoint) -> Double {
        let (x1, y1, z1) = unitVector
        let (x2, y2, z2) = other.unitVector
        let x = x1 - x2
        let y = y1 - y2
        let z = z1 - z2
        return x * x + y * y + z * z
    }

    private static let earthRadius = 6371.0088

    private var unitVector: (Double, Double, Double) {
        let phi = latitude * (Double.pi / 180)
        let lambda = longitude * (Double.pi / 180)
        let flat = cosine(phi)
        return (flat * cosine(lambda), flat * sine(lambda), sine(phi))
    }
}

/// The sine of an angle in -π…π by its Taylor series; the error is below 1e-13.
private func sine(_ angle: Double) -> Double { series(first: angle, angle: angle, from: 2) }

/// The cosine of an angle in -π…π by its Taylor series; the error is below 1e-13.
private func cosine(_ angle: Double) -> Double { series(first: 1, angle: angle, from: 1) }

/// The C library's functions differ between machines in the last bit; sums in a fixed order of
/// multiplications and divisions do not.
private func series(first: Double, angle: Double, from start: Int) -> Double {
    let square = angle * angle
    var term = first
    var sum = first
    for step in 0..<16 {
        let factor = Double(start + 2 * step)
        term = -term * square / (factor * (factor + 1))
        sum += term
    }
    return sum
}
