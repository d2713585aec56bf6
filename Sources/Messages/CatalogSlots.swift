/// Some of the 64 slots over which the entities of a catalog are spread, one behind the other.
///
/// A worker that covers a range is a part of a service, named `slots=FIRST-LAST`.
public struct SlotRange: Sendable, Hashable {
    /// The first slot, 0 to 63.
    public let first: Int
    /// The last slot, at least the first.
    public let last: Int

    /// All of them.
    public static let all = SlotRange(first: 0, last: Limits.catalogSlots - 1)

    private init(first: Int, last: Int) { (self.first, self.last) = (first, last) }

    /// From its ends; nil if they are no range of slots.
    public init?(_ first: Int, _ last: Int) {
        guard 0 <= first, first <= last, last < Limits.catalogSlots else { return nil }
        self.init(first: first, last: last)
    }

    /// From `FIRST-LAST` in decimal digits; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]),
            "\(first)-\(last)" == text
        else { return nil }
        self.init(first, last)
    }

    /// From the name of a part; nil if the part is none of slots.
    public init?(part: String) {
        guard part.hasPrefix(Self.partPrefix) else { return nil }
        self.init(part.dropFirst(Self.partPrefix.count))
    }

    /// The name of the part that covers it.
    public var part: String { "\(Self.partPrefix)\(first)-\(last)" }
    /// How many slots it has.
    public var count: Int { last - first + 1 }
    /// Whether an entity of this id is in it.
    public func contains(id: String) -> Bool { (first...last).contains(Self.slot(ofID: id)) }

    /// The slot of an id: FNV-1a of 64 bits over its UTF-8 bytes, the upper half of the hash laid
    /// over the lower one, modulo 64. It is the same for ever.
    public static func slot(ofID id: String) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int((hash ^ (hash >> 32)) % UInt64(Limits.catalogSlots))
    }

    /// How many slots some ranges have together.
    public static func count(of ranges: [SlotRange]) -> Int {
        Limits.catalogSlots - gaps(between: ranges).reduce(0) { $0 + $1.count }
    }

    /// The slots that none of some ranges has, as few ranges as possible in ascending order.
    public static func gaps(between ranges: [SlotRange]) -> [SlotRange] {
        var gaps: [SlotRange] = []
        var next = 0
        for range in ranges.sorted(by: { $0.first < $1.first }) {
            if let gap = SlotRange(next, range.first - 1) { gaps.append(gap) }
            next = max(next, range.last + 1)
        }
        if let gap = SlotRange(next, Limits.catalogSlots - 1) { gaps.append(gap) }
        return gaps
    }

    private static let partPrefix = "slots="
}
