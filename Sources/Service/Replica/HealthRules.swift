import Calendar
import Messages

/// Health readings: each text is one reading.
enum HealthRules: StoreRules {
    static func read(
        _ text: [UInt8], bytesMax: Int
    ) throws(CalendarError) -> (entries: [StoreEntry], refused: [CalendarError]) {
        do {
            let reading = try HealthReading(parsing: JSONValue(parsing: text))
            return ([StoreEntry(id: reading.id, text: text)], [])
        } catch {
            throw CalendarError(.entryInvalid, "\(error)")
        }
    }
}

extension HealthRules {
    /// When a held reading began, without reading all of it; nil if it is none.
    ///
    /// What is held is canonical: in no text does a quotation mark stand unescaped, so that only the
    /// member's name can be found, and no inner object has one of that name.
    static func start(of text: [UInt8]) -> Int? {
        let name = Array("\"start\":".utf8)
        guard text.count > name.count else { return nil }
        for place in 0..<(text.count - name.count)
        where text[place] == name[0] && text[place..<(place + name.count)].elementsEqual(name) {
            let digits = text[(place + name.count)...].prefix { byte in
                (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            }
            return Int(String(decoding: digits, as: UTF8.self))
        }
        return nil
    }
}

extension StoreKind {
    /// How what is put into a store of the kind is read.
    var rules: any StoreRules.Type {
        switch self {
        case .calendar: CalendarRules.self
        case .contacts: ContactRules.self
        case .health: HealthRules.self
        }
    }
}
