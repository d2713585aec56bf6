internal import Messages

/// What a record says of the access to a store.
enum StatedAccess {
    /// The status that a record states; nil if it states none.
    ///
    /// The record's shape was checked before it was stored; a body that cannot be read grants
    /// nothing.
    static func status(of record: Record) -> AccessStatus? {
        guard record.kind?.statesAccess == true else { return nil }
        let body = try? JSONValue(parsing: record.body)
        return body?["status"]?.text.flatMap(AccessStatus.init(rawValue:)) ?? .notDetermined
    }
}
