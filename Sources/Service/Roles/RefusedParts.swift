import Calendar
import Messages

/// What a change of an account would have put and removed, by name.
enum RefusedParts {
    /// Ids of a change, in its order; a text that cannot be read by its place. At most `countMax`.
    static func names(of record: Record, countMax: Int) -> [String] {
        guard let kind = record.kind, let store = kind.store, !kind.statesAccess else { return [] }
        return names(store.definition, record, countMax)
    }

    private static func names<Definition: StoreDefinition>(
        _: Definition.Type, _ record: Record, _ countMax: Int
    ) -> [String] {
        guard let change = try? StoreChange<Definition>(parsing: record.body) else { return [] }
        var names: [String] = []
        for (place, text) in change.put.enumerated() {
            guard names.count < countMax else { break }
            let reading = try? Definition.kind.rules.read(
                Array(text.utf8), bytesMax: Limits.resourceBytesMax)
            names += reading?.entries.map(\.id) ?? ["put[\(place)]"]
        }
        return Array((names + change.remove).prefix(countMax))
    }
}
