/// The properties of a card that are read; every other line is kept and passed over.
enum CardProperty: String, Sendable {
    case begin = "BEGIN"
    case end = "END"
    case version = "VERSION"
    case uid = "UID"
    case kind = "KIND"
    case appleKind = "X-ADDRESSBOOKSERVER-KIND"
    case shownAs = "X-ABSHOWAS"
    case formattedName = "FN"
    case name = "N"
    case nickname = "NICKNAME"
    case organization = "ORG"
    case phone = "TEL"
    case email = "EMAIL"
    case photo = "PHOTO"
    case logo = "LOGO"
    case sound = "SOUND"
    case key = "KEY"

    /// The property of a line; its name may stand behind a group, as in `item1.TEL`.
    init?(_ line: ContentLine) {
        var start = line.nameRange.lowerBound
        for index in line.nameRange where line.text[index] == UInt8(ascii: ".") {
            start = index + 1
        }
        let name = line.text.trimmed(start..<line.nameRange.upperBound)
        guard (1...Self.nameBytesMax).contains(name.count) else { return nil }
        self.init(rawValue: String(decoding: line.text[name].map(\.uppercased), as: UTF8.self))
    }

    private static let nameBytesMax = 32

    /// Whether it brings a picture, a sound or a key along.
    var isMedia: Bool {
        switch self {
        case .photo, .logo, .sound, .key: true
        default: false
        }
    }
}
