import Calendar
import Messages
import Queue

extension Services {
    /// `health.query`: an account's readings, the newest first, in the units asked for, with what
    /// can hardly be true; first what the owner allows.
    func healthReadings(_ call: ServiceCall) throws -> JobOutput {
        let request = try HealthQuery(parsing: call.body)
        let store = try call.store(.health)
        var items = request.after == nil ? [call.accessItem(store)] : []
        var ahead: [Int] = []
        for candidate in Candidate.all(of: store, request) {
            guard items.count < call.limit else { break }
            guard let value = try? JSONValue(parsing: candidate.text),
                let reading = try? HealthReading(parsing: value),
                request.kinds?.contains(reading.kind) ?? true
            else { continue }
            if reading.flags(asOf: Int(call.asOf.milliseconds)).contains(.inFuture) {
                ahead.append(reading.start - Limits.clockSlackMilliseconds)
            }
            let json = Self.json(
                of: reading, given: value, in: candidate.store, request.units,
                asOf: Int(call.asOf.milliseconds))
            items.append(
                MergeItem(
                    sortKey: Self.key(reading), unionKey: Array(reading.id.utf8),
                    json: json.canonical()))
        }
        var output = call.output(items)
        output.listHash = UpcomingPage.hash(of: items)
        // With time alone a reading comes to be no longer of the future.
        output.holdsUntil = ahead.min().map { Timestamp(milliseconds: Int64($0)) }
        return output
    }

    /// The newest first, behind the access item, whose key is a zero byte.
    private static func key(_ reading: HealthReading) -> [UInt8] {
        // Two's complement sorts backwards as bytes once all bits but the sign are flipped.
        let start = UInt64(bitPattern: Int64(reading.start)) ^ (UInt64.max >> 1)
        return [1] + bigEndianBytes(start) + Array(reading.id.utf8)
    }

    private static func json(
        of reading: HealthReading, given: JSONValue, in store: String, _ units: [HealthUnit],
        asOf: Int
    ) -> JSONValue {
        let unit = units.first { $0.kind == reading.kind }
        var values: [String: JSONValue] = [:]
        for (measure, quantity) in zip(reading.kind.measures, reading.quantities) {
            let converted = unit.flatMap { unit in
                quantity.unit.convert(quantity.value, to: unit).map {
                    HealthReading.Quantity($0, unit)
                }
            }
            values[measure] = (converted ?? quantity).json
        }
        var members: [String: JSONValue] = [
            "kind": .string("reading"), "healthStore": .string(store),
            "reading": given, "values": .object(values),
        ]
        let flags = reading.flags(asOf: asOf)
        if !flags.isEmpty { members["flags"] = .array(flags.map { .string($0.rawValue) }) }
        return .object(members)
    }
}

/// A reading that may be wanted, before it is read whole: most are not among the newest.
private struct Candidate {
    let start: Int
    let id: String
    let store: String
    let text: [UInt8]

    /// Those of a store that stand in the time asked for, the newest first; readings that devices
    /// of one owner share count once.
    static func all(of account: AccountStore, _ request: HealthQuery) -> [Candidate] {
        var seen: Set<String> = []
        var all: [Candidate] = []
        for (name, held) in account.collections.sorted(by: { $0.key < $1.key }) {
            for (id, entry) in held.resources {
                guard let start = HealthRules.start(of: entry.text),
                    request.wants(start: start, id: id),
                    account.collections.count == 1 || seen.insert(id).inserted
                else { continue }
                all.append(Candidate(start: start, id: id, store: name, text: entry.text))
            }
        }
        return all.sorted { left, right in
            left.start == right.start
                ? left.id.utf8.lexicographicallyPrecedes(right.id.utf8) : left.start > right.start
        }
    }
}

extension HealthQuery {
    fileprivate func wants(start: Int, id: String) -> Bool {
        if let from, start < from { return false }
        if let to, start >= to { return false }
        guard let after else { return true }
        if start != after.start { return start < after.start }
        return after.id.utf8.lexicographicallyPrecedes(id.utf8)
    }
}
