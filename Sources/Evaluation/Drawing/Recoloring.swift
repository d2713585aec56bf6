/// A change of colours by tables.
struct Recoloring: Sendable {
    /// 256 values for each of red, green and blue.
    var tables: [UInt8]
    /// The source's channel for each channel of the result.
    var order = [0, 1, 2]
    /// Brightness alone goes through the tables.
    var isGray = false

    /// No change.
    static let none = Recoloring { level, _ in level }

    /// From a function of level (0 to 255) and channel, whose values are clamped.
    init(_ value: (_ level: Int, _ channel: Int) -> Int) {
        tables = (0..<768).map { Canvas.clamped(value($0 & 255, $0 >> 8)) }
    }

    /// From one colour in the dark to another one in the light.
    init(dark: Color, light: Color) {
        self.init { level, channel in
            let mixed = dark.mixed(with: light, level + (level >> 7))
            return [mixed.red, mixed.green, mixed.blue][channel]
        }
        isGray = true
    }

    /// Some change, by chance: none, contrast, other channels, negative, or two colours.
    static func chosen(by numbers: inout SeededNumbers) -> Recoloring {
        switch numbers.index(below: 8) {
        case 0, 1: return .none
        case 2, 3, 4:
            let gain = (0..<3).map { _ in numbers.integer(in: 120...300) }
            let shift = numbers.integer(in: -40...40)
            return Recoloring { level, channel in (level - 128) * gain[channel] / 256 + 128 + shift
            }
        case 5:
            var result = Recoloring.none
            result.order = numbers.one(of: [[2, 0, 1], [1, 2, 0], [0, 2, 1], [2, 1, 0]])
            return result
        case 6: return Recoloring { level, _ in 255 - level }
        default:
            let dark = Color.chosen(by: &numbers)
            return Recoloring(dark: dark, light: dark.contrast(&numbers))
        }
    }
}
