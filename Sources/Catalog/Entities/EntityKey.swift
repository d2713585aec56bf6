/// The type and id that name an entity within its catalog.
///
/// Both compare by their UTF-8 bytes: two ids that look alike and differ in their bytes are two.
public struct EntityKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The entity type's name.
    public let type: String
    /// Unique within the type.
    public let id: String

    /// From a type and an id.
    public init(type: String, id: String) {
        self.type = type
        self.id = id
    }

    /// Type, a zero byte, id: names a result on the wire.
    public var unionKey: [UInt8] { Array(type.utf8) + [0] + Array(id.utf8) }
    /// A number that is the same everywhere and most likely no other key's: FNV-1a of `unionKey`
    /// (draft-eastlake-fnv).
    public var order: UInt64 {
        unionKey.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    /// `type/id`, for people.
    public var description: String { "\(type)/\(id)" }

    /// The same bytes.
    public static func == (left: EntityKey, right: EntityKey) -> Bool {
        utf8Equal(left.type, right.type) && utf8Equal(left.id, right.id)
    }
    /// By type, then id.
    public static func < (left: EntityKey, right: EntityKey) -> Bool {
        utf8Equal(left.type, right.type)
            ? utf8Precedes(left.id, right.id) : utf8Precedes(left.type, right.type)
    }
    /// The bytes of both.
    public func hash(into hasher: inout Hasher) {
        for byte in type.utf8 { hasher.combine(byte) }
        hasher.combine(0 as UInt8)
        for byte in id.utf8 { hasher.combine(byte) }
    }
}
