/// A small font of strokes, enough for labels and for made-up lettering.
///
/// Each glyph stands on a grid 4 units wide; 0 is the top of capitals, 2 that of small letters, 6 the
/// base line and 8 the bottom of descenders. Strokes are runs of two-digit points, column and row.
enum StrokeFont {
    /// Units from one glyph's left edge to the next one's.
    static let advance = 5.5
    /// Units from the top of capitals to the base line.
    static let capHeight = 6.0

    /// The strokes of a character, a box for an unknown one, nothing for a space.
    static func strokes(of character: Character) -> [[Point]] {
        glyphs[character] ?? unknown
    }

    private static let unknown = parse("00 40 46 06 00")
    private static let glyphs: [Character: [[Point]]] = sources.mapValues(parse)

    private static func parse(_ source: String) -> [[Point]] {
        source.split(separator: ",").map { stroke in
            stroke.split(separator: " ").map { pair in
                let digits = pair.utf8.map { Double($0) - 48 }
                return Point(x: digits[0], y: digits[1])
            }
        }
    }

    private static let sources: [Character: String] = [
        " ": "", "A": "06 20 46,14 34", "B": "00 06 36 45 44 33 03,33 42 41 30 00",
        "C": "41 30 10 01 05 16 36 45", "D": "00 06 26 44 42 20 00", "E": "40 00 06 46,03 33",
        "F": "40 00 06,03 33", "G": "41 30 10 01 05 16 36 45 43 23", "H": "00 06,40 46,03 43",
        "I": "20 26,10 30,16 36", "J": "40 45 36 16 05", "K": "00 06,40 03 46", "L": "00 06 46",
        "M": "06 00 23 40 46", "N": "06 00 46 40", "O": "10 30 41 45 36 16 05 01 10",
        "P": "06 00 30 41 42 33 03", "Q": "10 30 41 45 36 16 05 01 10,24 46",
        "R": "06 00 30 41 42 33 03,23 46", "S": "41 30 10 01 02 13 33 44 45 36 16 05",
        "T": "00 40,20 26", "U": "00 05 16 36 45 40", "V": "00 26 40", "W": "00 16 23 36 40",
        "X": "00 46,40 06", "Y": "00 23 40,23 26", "Z": "00 40 06 46",
        "a": "42 46,43 32 12 03 05 16 36 45", "b": "00 06,03 12 32 43 45 36 16 05",
        "c": "43 32 12 03 05 16 36 45", "d": "40 46,43 32 12 03 05 16 36 45",
        "e": "04 44 43 32 12 03 05 16 36 45", "f": "41 30 20 11 16,02 32",
        "g": "42 47 38 18 07,43 32 12 03 05 16 36 45", "h": "00 06,03 12 32 43 46",
        "i": "22 26,20 20", "j": "22 27 18,20 20", "k": "00 06,32 04 36", "l": "20 26",
        "m": "06 02,03 12 23 26,23 32 43 46", "n": "02 06,03 12 32 43 46",
        "o": "12 32 43 45 36 16 05 03 12", "p": "02 08,03 12 32 43 45 36 16 05",
        "q": "42 48,43 32 12 03 05 16 36 45", "r": "02 06,03 12 32",
        "s": "43 32 12 03 14 34 45 36 16 05", "t": "10 15 26 36,02 32",
        "u": "02 05 16 36 45,42 46", "v": "02 26 42", "w": "02 16 23 36 42", "x": "02 46,42 06",
        "y": "02 26,42 18 08", "z": "02 42 06 46", "0": "10 30 41 45 36 16 05 01 10,31 15",
        "1": "11 20 26,16 36", "2": "01 10 30 41 42 06 46", "3": "00 40 23 33 44 45 36 16 05",
        "4": "36 30 04 44", "5": "40 00 02 32 43 45 36 16 05",
        "6": "30 20 02 05 16 36 45 44 33 13 04", "7": "00 40 16",
        "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
        "9": "16 26 44 41 30 10 01 02 13 33 42", ".": "26 26", ",": "26 17", ":": "22 22,26 26",
        "-": "13 33", "_": "06 46", "/": "06 40", "+": "23 23,21 25,03 43", "=": "02 42,04 44",
        "%": "06 40,00 10 11 01 00,35 45 46 36 35", "(": "30 12 14 36", ")": "10 32 34 16",
        "<": "41 03 45", ">": "01 43 05", "#": "10 16,30 36,02 42,04 44", "'": "20 21",
        "!": "20 24,26 26", "?": "01 10 30 41 42 23 24,26 26", "*": "21 25,02 44,42 04",
        "&": "46 11 20 31 04 05 16 26 44",
    ]
}
