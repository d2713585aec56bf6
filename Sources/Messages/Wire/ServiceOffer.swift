/// One service that a worker offers, and which part of it.
public struct ServiceOffer: Hashable, Sendable {
    /// The service's name, such as `image.search`.
    public var service: String
    /// The part of the service that the worker covers; empty for the whole.
    ///
    /// A router sends a request once to each part and merges what they answer.
    public var part: String
    /// A second attempt beside the first does no harm.
    public var isIdempotent: Bool

    /// An offer of a whole service, or of a part.
    public init(service: String, part: String = "", isIdempotent: Bool = true) {
        self.service = service
        self.part = part
        self.isIdempotent = isIdempotent
    }

    /// Flags, length of the service's name, its name, the part's name.
    public func encoded() -> [UInt8] {
        [isIdempotent ? 1 : 0, UInt8(clamping: service.utf8.count)]
            + Array(service.utf8.prefix(255))
            + Array(part.utf8)
    }

    /// From the value of an `offer` field; nil if it is malformed.
    public init?(decoding value: [UInt8]) {
        guard value.count >= 3, value.count <= Limits.nameBytesMax, value[1] > 0,
            value.count >= 2 + Int(value[1]),
            let service = String(validating: value[2..<2 + Int(value[1])], as: UTF8.self),
            let part = String(validating: value[(2 + Int(value[1]))...], as: UTF8.self)
        else { return nil }
        self.init(service: service, part: part, isIdempotent: value[0] & 1 == 1)
    }
}

/// A blob that a record refers to, and what it is for.
public struct BlobReference: Hashable, Sendable {
    /// What the blob is for.
    public enum Role: UInt8, Sendable, CaseIterable {
        /// The bounded source copy, kept by the journal so that later prints can be made.
        case picture = 1
        /// A feature print, which travels to every replica.
        case print = 2
        /// A thumbnail, which travels to every replica.
        case thumbnail = 3
    }
    /// What the blob is for.
    public let role: Role
    /// The blob's name.
    public let hash: ContentHash

    /// From a role and a hash.
    public init(role: Role, hash: ContentHash) {
        self.role = role
        self.hash = hash
    }
    func encoded() -> [UInt8] { [role.rawValue] + hash.bytes }
    init?(decoding value: [UInt8]) {
        guard let first = value.first, let role = Role(rawValue: first),
            let hash = ContentHash(bytes: Array(value.dropFirst()))
        else { return nil }
        self.init(role: role, hash: hash)
    }
}
