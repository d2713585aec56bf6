extension Dictionary {
    /// Whether there is a value for a key. Nothing is hashed for an empty one, which those of the
    /// rarer messages are most of the time.
    func has(_ key: Key) -> Bool { !isEmpty && self[key] != nil }
}
