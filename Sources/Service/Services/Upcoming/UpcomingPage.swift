import Journal
import Messages

/// A place in a list of upcoming events, as a token says it.
///
/// The token names the list: its as-of, the position that it was worked out at, and a hash of all
/// of it. So the pages of one list fit together, or the client hears that it has to begin again.
struct UpcomingPage: Equatable {
    /// Milliseconds for which a token may be used.
    static let milliseconds: Int64 = 3_600_000

    let asOf: Timestamp
    let position: Position?
    let hash: ContentHash
    /// Items in front of the page.
    let offset: Int

    init(asOf: Timestamp, position: Position?, items: [MergeItem], offset: Int) {
        self.asOf = asOf
        self.position = position
        hash = Self.hash(of: items)
        self.offset = offset
    }

    /// Hexadecimal digits.
    var token: String {
        let position = position ?? Position(epoch: 0, sequence: 0)
        let bytes =
            [1] + bigEndianBytes(UInt64(bitPattern: asOf.milliseconds))
            + bigEndianBytes(position.epoch) + bigEndianBytes(position.sequence) + hash.bytes
            + bigEndianBytes(UInt32(offset))
        return Hex.encode(bytes)
    }

    /// - Throws: `ServiceFailure` for what is no token, or one whose time is over.
    init(token: String, now: Timestamp) throws {
        var reader = ByteReader((Hex.decode(token) ?? [])[...])
        guard let version: UInt8 = reader.integer(), version == 1,
            let asOf: UInt64 = reader.integer(), let epoch: UInt64 = reader.integer(),
            let sequence: UInt64 = reader.integer(),
            let hash = reader.take(32).flatMap({ ContentHash(bytes: Array($0)) }),
            let offset: UInt32 = reader.integer(), reader.remaining == 0
        else {
            throw ServiceFailure(.badRequest, "after must be a nextPage of an earlier reply")
        }
        self.asOf = Timestamp(milliseconds: Int64(bitPattern: asOf))
        position = epoch == 0 && sequence == 0 ? nil : Position(epoch: epoch, sequence: sequence)
        self.hash = hash
        self.offset = Int(offset)
        let age = now.milliseconds.subtractingReportingOverflow(self.asOf.milliseconds)
        guard !age.overflow, (-Self.milliseconds...Self.milliseconds).contains(age.partialValue)
        else { throw Self.isGone("its first page was asked for more than an hour ago") }
    }

    /// Refuses a list that is not the one of which the token is.
    ///
    /// - Throws: `ServiceFailure` with POSITION_NOT_REACHED if this replica is behind it, with
    ///   NOT_KEPT if the list has changed.
    func check(_ items: [MergeItem], at current: Position?) throws {
        if Self.hash(of: items) == hash { return }
        if let position, let current, current.epoch == position.epoch,
            current.sequence < position.sequence
        {
            throw ServiceFailure(
                .positionNotReached, "the list is of position \(position); this is \(current)")
        }
        throw Self.isGone("it has changed since its first page")
    }

    private static func isGone(_ why: String) -> ServiceFailure {
        ServiceFailure(.notKept, "the list is no longer there: \(why); begin again without after")
    }

    /// Of the items, in their order.
    static func hash(of items: [MergeItem]) -> ContentHash {
        .of(items.flatMap { bigEndianBytes(UInt32($0.json.count)) + $0.json })
    }
}
