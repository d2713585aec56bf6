internal import Messages

/// Who made a change, and its id there.
struct ChangeKey: Hashable, Sendable {
    let source: [UInt8]
    let changeID: [UInt8]

    init(source: String, changeID: String) {
        self.source = Array(source.utf8)
        self.changeID = Array(changeID.utf8)
    }

    init(source: [UInt8], changeID: [UInt8]) {
        self.source = source
        self.changeID = changeID
    }

    func hash(into hasher: inout Hasher) {
        // At once: byte by byte it takes longer than the rest of the look-up.
        source.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(source.count)
        changeID.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Nil if the record lacks one of them.
    init?(_ record: Record) {
        guard let source = record.fields[.source], !source.isEmpty,
            let changeID = record.fields[.changeID], !changeID.isEmpty
        else { return nil }
        self.source = source
        self.changeID = changeID
    }
}

/// The changes of the recent past, by source and id, so that none is stored twice.
struct ChangeWindow: Sendable {
    private var sequences: [ChangeKey: UInt64] = [:]
    /// A ring of the keys in the order in which they came.
    private var keys: [ChangeKey] = []
    private var oldest = 0
    private let countMax: Int

    /// Remembers a number of changes, at least one.
    init(countMax: Int) {
        precondition(countMax > 0, "a window remembers at least one change")
        self.countMax = countMax
        // Growing takes long enough to be felt by whoever waits for a group.
        sequences.reserveCapacity(countMax)
        keys.reserveCapacity(countMax)
    }

    /// Where a change was stored; nil if that is unknown or too long ago.
    func sequence(of key: ChangeKey) -> UInt64? { sequences[key] }

    /// All that are remembered, oldest first.
    var changes: [(key: ChangeKey, sequence: UInt64)] {
        (keys[oldest...] + keys[..<oldest]).compactMap { key in
            sequences[key].map { (key, $0) }
        }
    }

    /// Remembers a change that is not in the window, and forgets the oldest one if it is full.
    mutating func insert(_ key: ChangeKey, _ sequence: UInt64) {
        guard sequences.updateValue(sequence, forKey: key) == nil else { return }
        guard keys.count == countMax else { return keys.append(key) }
        sequences[keys[oldest]] = nil
        keys[oldest] = key
        oldest = (oldest + 1) % countMax
    }
}
