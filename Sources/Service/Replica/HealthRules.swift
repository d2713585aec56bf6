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
