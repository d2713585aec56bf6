/// The fields that this version knows, and the form of each value.
public enum FieldType: UInt16, Sendable, CaseIterable {
    /// Text: the service of a request.
    case service = 1
    /// Text: the catalog of a request or record; `main` if absent.
    case catalog = 2
    /// 4 bytes: results wanted at most.
    case limit = 3
    /// 1 byte: 0 grid, 1 single.
    case layout = 4
    /// Text: requests of one key share their turns.
    case fairnessKey = 5
    /// 8 bytes, two's complement: milliseconds since 1970 that the request is answered for.
    case asOf = 6
    /// 16 bytes, epoch and sequence: the position that a reply was computed at, or of a record.
    case position = 7
    /// 16 bytes: the least position that a request asks for, or SUBSCRIBE's last one known.
    case leastPosition = 8
    /// Text: W3C trace context.
    case traceparent = 9
    /// Text: the print version that a request or reply speaks of.
    case printVersion = 10
    /// 16 bytes: who sends a HELLO.
    case identity = 11
    /// 8 bytes: a newer incarnation of an identity replaces an older one.
    case incarnation = 12
    /// 4 bytes: requests that a worker takes at a time.
    case credit = 13
    /// An offer of a worker, repeated: 1 byte of flags (bit 0: idempotent), 1 byte n, n bytes of
    /// service, then the part's name.
    case offer = 14
    /// The item list of a PARTIAL or FINAL from a worker; see `MergeItem`.
    case items = 15
    /// 32 bytes each: the hashes of the attachments, in the order of their frames.
    case attachments = 16
    /// Text, repeated: a part that did not answer.
    case missing = 17
    /// Text: a stable error code.
    case errorCode = 18
    /// Text: what is wrong and what is allowed, for people.
    case errorText = 19
    /// 4 bytes: milliseconds after which to try again.
    case retryAfter = 20
    /// 32 bytes: names the kept results of a reply.
    case continueToken = 21
    /// 4 bytes: the sender's ping interval in milliseconds.
    case pingInterval = 22
    /// Text: a name for people.
    case name = 23
    /// Text: the stream of a record, or repeated in SUBSCRIBE the ones wanted.
    case stream = 24
    /// Text: who produced a change.
    case source = 25
    /// Text: the change's id, unique within its source.
    case changeID = 26
    /// Text: the account that a record or request belongs to.
    case account = 27
    /// 16 bytes: the key that a record's payload is encrypted under.
    case keyID = 28
    /// Text: records of one partition key keep their order.
    case partitionKey = 29
    /// Text: a record kind.
    case recordKind = 30
    /// 8 bytes, as `asOf`: when the producer made the change.
    case producerTime = 31
    /// 8 bytes, as `asOf`: when the journal stored the record.
    case recordedTime = 32
    /// 33 bytes, repeated: a role and the hash of a blob that a record refers to.
    case blob = 33
    /// 4 bytes: the number of parts of a request, in its reply.
    case partsTotal = 34
    /// 4 bytes: the parts that answered.
    case partsAnswered = 35
    /// Text: the route that opens a reply's kept results in the app.
    case continueRoute = 36
    /// Text: the part of the service that a router asks a worker for; absent for the whole.
    case part = 37
    /// Text: `name=microseconds` of a worker's stages, separated by commas; for diagnostics.
    case stages = 38
    /// 32 bytes: the snapshot that a TAIL announces, or that a chunk belongs to.
    case snapshot = 39
    /// 4 bytes: the number of a chunk in its snapshot, from 0.
    case chunk = 40
    /// 4 bytes: the chunks of a snapshot.
    case chunksTotal = 41
    /// 16 bytes: the XXH3-128 of a chunk.
    case chunkHash = 42
    /// A key of an account, repeated: 16 bytes of id, 32 of secret, the account's name, and for
    /// other stores than calendars a zero byte and the store.
    case accountKey = 43
    /// 16 bytes, repeated: a key that the journal destroys once this record is stored.
    case retiresKey = 44
    /// Text: the token of the next page of a reply; absent on the last one.
    case nextPage = 45
    /// 8 bytes, as `asOf`: until then a reply's results stay as they are with time alone.
    case holdsUntil = 46
    /// 32 bytes: a hash of the results of a reply; two lists of one hash are the same.
    case listHash = 47
    /// 4 bytes: hundredths of a service that have to answer, or the request fails; 1 to 100.
    case leastShare = 52
    /// 32 bytes: the attachment that stands for a request's picture, decoded and printed before.
    case preparedQuery = 53
    /// 16 bytes: names a detached request.
    case job = 54
    /// Text: a detached request of the same key and question runs once.
    case jobKey = 55
    /// 8 bytes: candidates that a stopped search compared, and how many it had; see
    /// `CheckedCandidates`.
    case checked = 56

    /// Refuses a value that does not have the form of its type.
    ///
    /// - Throws: `WireError` with `badField`.
    func check(_ value: ArraySlice<UInt8>) throws(WireError) {
        let fits: Bool
        switch self {
        case .layout: fits = value.count == 1 && value[value.startIndex] <= 1
        case .limit, .credit, .retryAfter, .pingInterval, .partsTotal, .partsAnswered,
            .chunk, .chunksTotal, .leastShare:
            fits = value.count == 4
        case .asOf, .incarnation, .producerTime, .recordedTime, .holdsUntil, .checked:
            fits = value.count == 8
        case .position, .leastPosition, .identity, .keyID, .chunkHash, .retiresKey,
            .job:
            fits = value.count == 16
        case .accountKey: fits = AccountKey(decoding: Array(value)) != nil
        case .continueToken, .snapshot, .listHash, .preparedQuery:
            fits = value.count == ContentHash.byteCount
        case .blob: fits = value.count == 1 + ContentHash.byteCount
        case .attachments: fits = value.count % ContentHash.byteCount == 0
        case .offer: fits = ServiceOffer(decoding: Array(value)) != nil
        case .items: fits = true
        default:
            fits =
                value.count <= Limits.nameBytesMax
                && (try? UTF8Span(validating: value.span)) != nil
        }
        guard fits else {
            throw WireError(.badField, "field \(self) has a value of the wrong form")
        }
    }
}
