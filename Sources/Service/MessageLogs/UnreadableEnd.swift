public import Journal

/// Why a recording cannot be read to its end.
public enum UnreadableEnd: Sendable, Equatable, CustomStringConvertible {
    /// What was stored is not as it was written.
    case damaged(SegmentDamage)
    /// Writing the last entry was cut short.
    case torn(SegmentDamage)

    /// A sentence with file, offset and reason.
    public var description: String {
        switch self {
        case .damaged(let damage): "the recording is damaged: \(damage)"
        case .torn(let damage): "the recording ends in a torn write: \(damage)"
        }
    }
}

extension MessageLogReader {
    /// Why what stands behind `last` cannot be read; nil if nothing does.
    ///
    /// - Throws: `JournalError` as the system says.
    public func unreadableEnd() throws -> UnreadableEnd? {
        if let damage { return .damaged(damage) }
        return try tornEnd().map { .torn($0) }
    }

    /// Calls `body` for the entries of these numbers, in order; in bounded memory.
    ///
    /// - Parameter unreadable: Hears of every entry that cannot be read, or is no exchange.
    /// - Throws: What `body` throws, other than `MessageLogFault`.
    public func forEachReadable(
        in numbers: ClosedRange<UInt64>, unreadable: (String) -> Void,
        _ body: (MessageLogEntry) throws -> Void
    ) throws {
        let last = min(numbers.upperBound, last)
        var after = max(numbers.lowerBound, first) - 1
        while after < last {
            let entries: [MessageLogEntry]
            do {
                entries = try read(after: after, countMax: Int(min(last - after, 64)))
            } catch {
                unreadable("\(error)")
                after += 1
                continue
            }
            guard let end = entries.last else { return }
            for entry in entries {
                do {
                    try body(entry)
                } catch let fault as MessageLogFault {
                    unreadable("\(fault)")
                }
            }
            after = end.number
        }
    }
}
