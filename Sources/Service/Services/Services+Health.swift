import Calendar
import Messages
import Queue

extension Services {
    /// `health.query`: an account's readings, the newest first, in the units asked for, with what
    /// can hardly be true; first what the owner allows.
    func healthReadings(_ call: ServiceCall) throws -> JobOutput {
        let request = try HealthQuery(parsing: call.body)
        let store = try call.store(.health)
        var found: [String: Found] = [:]
        for (name, held) in store.collections.sorted(by: { $0.key < $1.key }) {
            for resource in held.resources.values {
                guard let value = try? JSONValue(parsing: resource.text),
                    let reading = try? HealthReading(parsing: value), request.wants(reading),
                    // Devices of one owner share readings: each counts once.
                    found[reading.id] == nil
                else { continue }
                found[reading.id] = Found(store: name, given: value, reading: reading)
            }
        }
        let readings = found.values.map { (key: Self.key($0.reading), found: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        var items = request.after == nil ? [call.accessItem(store)] : []
        for (key, found) in readings.prefix(max(0, call.limit - items.count)) {
            let json = Self.json(of: found, request.units, asOf: Int(call.asOf.milliseconds))
            items.append(
                MergeItem(
                    sortKey: key, unionKey: Array(found.reading.id.utf8), json: json.canonical()))
        }
        return call.output(items)
    }

    private struct Found {
        let store: String
        let given: JSONValue
        let reading: HealthReading
    }

    /// The newest first, behind the access item, whose key is a zero byte.
    private static func key(_ reading: HealthReading) -> [UInt8] {
        // Two's complement sorts backwards as bytes once all bits but the sign are flipped.
        let start = UInt64(bitPattern: Int64(reading.start)) ^ (UInt64.max >> 1)
        return [1] + bigEndianBytes(start) + Array(reading.id.utf8)
    }

    private static func json(
        of found: Found, _ units: [HealthUnit], asOf: Int
    ) -> JSONValue {
        let reading = found.reading
        let unit = units.first { $0.kind == reading.kind }
        var values: [String: JSONValue] = [:]
        for (measure, given) in zip(reading.kind.measures, reading.quantities) {
            let converted = unit.flatMap { unit in
                given.unit.convert(given.value, to: unit).map {
                    HealthReading.Quantity($0, unit)
                }
            }
            values[measure] = (converted ?? given).json
        }
        var members: [String: JSONValue] = [
            "kind": .string("reading"), "healthStore": .string(found.store),
            "reading": found.given, "values": .object(values),
        ]
        let flags = reading.flags(asOf: asOf)
        if !flags.isEmpty { members["flags"] = .array(flags.map { .string($0.rawValue) }) }
        return .object(members)
    }
}

extension HealthQuery {
    fileprivate func wants(_ reading: HealthReading) -> Bool {
        if let kinds, !kinds.contains(reading.kind) { return false }
        if let from, reading.start < from { return false }
        if let to, reading.start >= to { return false }
        guard let after else { return true }
        if reading.start != after.start { return reading.start < after.start }
        return after.id.utf8.lexicographicallyPrecedes(reading.id.utf8)
    }
}
