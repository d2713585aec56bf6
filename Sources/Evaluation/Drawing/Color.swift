/// An opaque colour, each part 0 to 255.
public struct Color: Sendable, Equatable {
    /// Red.
    public var red: Int
    /// Green.
    public var green: Int
    /// Blue.
    public var blue: Int

    /// Of its parts.
    public init(_ red: Int, _ green: Int, _ blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    static let white = Color(255, 255, 255)
    static let black = Color(0, 0, 0)

    /// Brightness, 0 to 255.
    var luma: Int { (77 * red + 150 * green + 29 * blue) >> 8 }

    static func chosen(by numbers: inout SeededNumbers) -> Color {
        Color(
            numbers.integer(in: 0...255), numbers.integer(in: 0...255),
            numbers.integer(in: 0...255))
    }

    /// A colour whose brightness differs from this one's by 70 at least.
    func contrast(_ numbers: inout SeededNumbers) -> Color {
        for _ in 0..<8 {
            let other = Color.chosen(by: &numbers)
            if abs(other.luma - luma) >= 70 { return other }
        }
        return luma > 127 ? .black : .white
    }

    /// The colour that lies so far, 0 to 256, on the way to another one.
    func mixed(with other: Color, _ part: Int) -> Color {
        Color(
            red + ((other.red - red) * part) >> 8,
            green + ((other.green - green) * part) >> 8,
            blue + ((other.blue - blue) * part) >> 8)
    }
}
