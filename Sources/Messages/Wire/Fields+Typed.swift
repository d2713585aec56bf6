extension Fields {
    /// The position that a reply was computed at, or of a record.
    public var position: Position? {
        get { position(.position) }
        set { set(.position, newValue.map(Self.bytes)) }
    }
    /// The least position that a request asks for.
    public var leastPosition: Position? {
        get { position(.leastPosition) }
        set { set(.leastPosition, newValue.map(Self.bytes)) }
    }
    /// The instant that a request is answered for.
    public var asOf: Timestamp? {
        get { timestamp(.asOf) }
        set { set(.asOf, timestamp: newValue) }
    }
    /// The detached request that a message is about.
    public var job: RequestID? {
        get { self[.job].flatMap { RequestID(bytes: $0) } }
        set { set(.job, newValue?.bytes) }
    }
    /// Who sends a HELLO.
    public var identity: Identity? {
        get { self[.identity].flatMap { Identity(bytes: $0) } }
        set { set(.identity, newValue?.bytes) }
    }
    /// What a worker offers in its HELLO.
    public var offers: [ServiceOffer] {
        get { all(.offer).compactMap { ServiceOffer(decoding: $0) } }
        set {
            set(.offer, nil)
            for offer in newValue { append(.offer, offer.encoded()) }
        }
    }
    /// The hashes of the attachments, in the order of their frames.
    public var attachmentHashes: [ContentHash] {
        get { self[.attachments].map(ContentHash.list) ?? [] }
        set { set(.attachments, newValue.isEmpty ? nil : newValue.flatMap(\.bytes)) }
    }
    /// The parts that did not answer.
    public var missing: [String] {
        get { texts(.missing) }
        set { set(.missing, texts: newValue) }
    }
    /// The streams that a SUBSCRIBE asks for.
    public var streams: [String] {
        get { texts(.stream) }
        set { set(.stream, texts: newValue) }
    }
    /// The token that names the kept results of a reply.
    public var continueToken: ContentHash? {
        get { self[.continueToken].flatMap { ContentHash(bytes: $0) } }
        set { set(.continueToken, newValue?.bytes) }
    }
    /// The key that a record's payload is encrypted under.
    public var keyID: KeyID? {
        get { self[.keyID].flatMap { KeyID(bytes: $0) } }
        set { set(.keyID, newValue?.bytes) }
    }
    /// The keys that end with a record.
    public var retiredKeys: [KeyID] {
        get { all(.retiresKey).compactMap { KeyID(bytes: $0) } }
        set {
            set(.retiresKey, nil)
            for id in newValue { append(.retiresKey, id.bytes) }
        }
    }
    /// The snapshot that a TAIL announces, or that a chunk belongs to.
    public var snapshot: ContentHash? {
        get { self[.snapshot].flatMap { ContentHash(bytes: $0) } }
        set { set(.snapshot, newValue?.bytes) }
    }
    /// Keys of accounts.
    public var accountKeys: [AccountKey] {
        get { all(.accountKey).compactMap { AccountKey(decoding: $0) } }
        set {
            set(.accountKey, nil)
            for key in newValue { append(.accountKey, key.encoded()) }
        }
    }
    /// The blobs that a record refers to.
    public var blobs: [BlobReference] {
        get { all(.blob).compactMap { BlobReference(decoding: $0) } }
        set {
            set(.blob, nil)
            for blob in newValue { append(.blob, blob.encoded()) }
        }
    }

    /// A wall-clock value.
    public func timestamp(_ type: FieldType) -> Timestamp? {
        integer(type, as: UInt64.self).map { Timestamp(milliseconds: Int64(bitPattern: $0)) }
    }
    /// Sets or removes a wall-clock value.
    public mutating func set(_ type: FieldType, timestamp: Timestamp?) {
        set(type, integer: timestamp.map { UInt64(bitPattern: $0.milliseconds) })
    }
    /// Every text of a type, in order.
    public func texts(_ type: FieldType) -> [String] {
        all(type).compactMap { String(validating: $0, as: UTF8.self) }
    }
    /// Replaces every text of a type.
    public mutating func set(_ type: FieldType, texts: [String]) {
        set(type, nil)
        for text in texts { append(type, Array(text.utf8)) }
    }

    private func position(_ type: FieldType) -> Position? {
        guard let value = slice(type), value.count == 16 else { return nil }
        return Position(
            epoch: bigEndianInteger(value.prefix(8)), sequence: bigEndianInteger(value.suffix(8)))
    }
    private static func bytes(_ position: Position) -> [UInt8] {
        bigEndianBytes(position.epoch) + bigEndianBytes(position.sequence)
    }
}

extension ContentHash {
    static func list(_ bytes: [UInt8]) -> [ContentHash] {
        stride(from: 0, to: bytes.count - bytes.count % byteCount, by: byteCount).compactMap {
            ContentHash(bytes: Array(bytes[$0..<$0 + byteCount]))
        }
    }
}
