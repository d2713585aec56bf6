/// The names of content lines that are read here; every other line is passed over.
enum PropertyName: Sendable {
    case begin, end
    case uid, start, finish, duration, recurrenceID, rule, exceptionRule, date, exceptionDate
    case summary, location, status, sequence, stamp
    case zoneName, offsetFrom, offsetTo, method
    case other

    /// From the letters of a name, in either case.
    init(_ text: [UInt8], _ range: Range<Int>) {
        guard let packed = Self.packed(text, range) else {
            self = .other
            return
        }
        self = Self.known[packed] ?? .other
    }

    /// As it is written in faults.
    var text: String { Self.names.first { $0.value == self }?.key ?? "" }

    private static let names: [String: PropertyName] = [
        "BEGIN": .begin, "END": .end, "UID": .uid, "DTSTART": .start, "DTEND": .finish,
        "DURATION": .duration, "RECURRENCE-ID": .recurrenceID, "RRULE": .rule,
        "EXRULE": .exceptionRule, "RDATE": .date, "EXDATE": .exceptionDate, "SUMMARY": .summary,
        "LOCATION": .location, "STATUS": .status, "SEQUENCE": .sequence, "DTSTAMP": .stamp,
        "TZID": .zoneName, "TZOFFSETFROM": .offsetFrom, "TZOFFSETTO": .offsetTo,
        "METHOD": .method,
    ]

    private static let known: [UInt128: PropertyName] = {
        var known: [UInt128: PropertyName] = [:]
        for (name, property) in names {
            let bytes = [UInt8](name.utf8)
            if let packed = packed(bytes, 0..<bytes.count) { known[packed] = property }
        }
        return known
    }()

    /// Up to 16 letters as one number: comparing lines costs no text. Nil for longer ones.
    private static func packed(_ text: [UInt8], _ range: Range<Int>) -> UInt128? {
        guard range.count <= 16 else { return nil }
        var packed: UInt128 = 0
        for index in range { packed = packed << 8 | UInt128(text[index].uppercased) }
        return packed
    }
}

extension UInt8 {
    /// A to Z for a to z; every other byte as it is.
    var uppercased: UInt8 {
        self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") ? self - 32 : self
    }

    /// The value of a decimal digit; nil for any other byte.
    var digit: Int? {
        self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") ? Int(self) - 48 : nil
    }
}
