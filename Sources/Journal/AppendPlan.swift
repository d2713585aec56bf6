internal import Messages
internal import Sodium

/// What a backend has to store for a group of changes, decided without storing anything.
///
/// Both backends follow the same plan, so that they refuse and number alike.
struct AppendPlan: Sendable {
    /// Bytes of the blobs that travel with one record to every replica, and of the record: half
    /// of a frame, so that they fit into a chunk of a snapshot.
    static var travellingBytesMax: Int { Limits.frameBytesMax / 2 }

    /// One for each entry; stored ones hold once the plan was carried out.
    private(set) var outcomes: [AppendOutcome] = []
    /// With position, recorded time and stream.
    private(set) var records: [Record] = []
    /// `records`, encoded.
    private(set) var encoded: [[UInt8]] = []
    /// Not stored yet, each once.
    private(set) var blobs: [(hash: ContentHash, bytes: [UInt8])] = []
    /// Stored before, and named by one of the records.
    private(set) var existing: [ContentHash] = []
    /// The keys as they are once the plan was carried out.
    private(set) var keyring: Keyring
    /// To be on the disk before the records that are sealed under them.
    private(set) var newKeys: [AccountKey] = []
    /// What was stated under which key; to be noted once the records are on the disk.
    private(set) var statedAccess: [(key: KeyID, status: AccessStatus)] = []
    /// The time zone data that the last of the records names; nil if none does.
    var zoneData: String? { records.compactMap { ZoneData.version(of: $0) }.last }
    /// To be destroyed once the records are on the disk.
    var retiredKeys: [KeyID] { records.flatMap(\.fields.retiredKeys) }

    private let epoch: UInt64
    private var sequence: UInt64
    private var planned: [ChangeKey: UInt64] = [:]
    private var changes: [(key: ChangeKey, sequence: UInt64)] = []
    private var plannedBlobs: [ContentHash: Int] = [:]

    /// Plans a group behind the head.
    init(
        _ entries: [JournalEntry], head: Position, window: ChangeWindow, keyring: Keyring,
        size: (ContentHash) -> Int?
    ) {
        epoch = head.epoch
        sequence = head.sequence
        self.keyring = keyring
        for entry in entries { outcomes.append(plan(entry, window, size)) }
    }

    /// Remembers in the window what was stored.
    func remember(in window: inout ChangeWindow) {
        for (key, sequence) in changes { window.insert(key, sequence) }
    }

    private mutating func plan(
        _ entry: JournalEntry, _ window: ChangeWindow, _ size: (ContentHash) -> Int?
    ) -> AppendOutcome {
        let kind = entry.record.kind
        guard let key = changeKey(of: entry.record, kind) else {
            return .refused("a change has a source and a change id")
        }
        if let known = planned[key] ?? window.sequence(of: key) {
            return .duplicate(Position(epoch: epoch, sequence: known))
        }
        var brought: [ContentHash: [UInt8]] = [:]
        if let fault = check(entry, size, into: &brought) { return .refused(fault) }
        let position = Position(epoch: epoch, sequence: sequence + 1)
        let sealing = sealing(of: entry.record, kind, key)
        switch sealing {
        case .refused(let fault): return .refused(fault)
        case .accessRequired(let store, let status): return .accessRequired(store, status)
        case .none, .under, .erase: break
        }
        let record = stamped(entry, kind, sealing, position)
        let bytes = record.encoded()
        guard bytes.count <= Limits.recordBytesMax else {
            return .refused("a record has at most \(Limits.recordBytesMax) bytes")
        }
        carryOut(sealing, of: entry.record)
        sequence += 1
        if let stored = ChangeKey(record) {
            planned[stored] = sequence
            changes.append((stored, sequence))
        }
        records.append(record)
        encoded.append(bytes)
        take(record.fields.blobs.map(\.hash), brought, size)
        return .stored(position)
    }

    /// Why an entry's blobs are refused; nil if they are as its record says.
    private func check(
        _ entry: JournalEntry, _ size: (ContentHash) -> Int?,
        into brought: inout [ContentHash: [UInt8]]
    ) -> String? {
        let named = entry.record.fields.blobs
        if named.isEmpty, entry.blobs.isEmpty { return nil }
        guard named.count <= Limits.blobsPerRecordMax else {
            return "a record has at most \(Limits.blobsPerRecordMax) blobs"
        }
        for bytes in entry.blobs {
            guard bytes.count <= Limits.blobBytesMax else {
                return "a blob has at most \(Limits.blobBytesMax) bytes"
            }
            guard let hash = ContentHash(bytes: Digest.sha256(bytes)),
                named.contains(where: { $0.hash == hash })
            else {
                return "an attachment's bytes have none of the hashes that the record names"
            }
            brought[hash] = bytes
        }
        let travelling = Set(entry.record.travellingBlobs)
        var bytes = entry.record.encodedByteCount
        for hash in Set(named.map(\.hash)).sorted() {
            guard let count = brought[hash]?.count ?? plannedBlobs[hash] ?? size(hash) else {
                return "blob \(hash) is neither brought nor stored"
            }
            if travelling.contains(hash) { bytes += count }
        }
        guard bytes <= Self.travellingBytesMax else {
            return "prints and thumbnails have at most \(Self.travellingBytesMax) bytes together"
        }
        return nil
    }

    /// What is done about an account's keys for one record.
    private enum Sealing {
        /// The record belongs to no account.
        case none
        /// Under the store's key, or under a new one, which retires another; with the id that
        /// the change has under the key, if it is known.
        case under(AccountKey, isNew: Bool, retires: KeyID?, changeID: [UInt8]?)
        /// All that is the account's is erased, and no key of it is left.
        case erase([KeyID])
        case refused(String)
        case accessRequired(StoreKind, AccessStatus)
    }

    /// Nothing is taken for a store that may not be read. Losing access, or some of it, ends the
    /// store's key, and so all that was stored under it; what is known from then on is under the
    /// next one.
    private func sealing(of record: Record, _ kind: RecordKind?, _ change: ChangeKey) -> Sealing {
        guard let kind, kind.isPersonal else { return .none }
        guard let account = record.fields.text(.account), !account.isEmpty else {
            return .refused("a record of kind \(kind.rawValue) has an account")
        }
        guard let store = kind.store else { return .erase(keyring.keys(of: account).map(\.id)) }
        let known = keyring.key(of: account, store)
        let allowed = keyring.access(of: account, store)
        let stated = StatedAccess.status(of: record)
        if stated == nil, !allowed.allowsReading { return .accessRequired(store, allowed) }
        // What is stated again takes nothing away; of the rest full access alone cannot.
        let takesNothing = stated == nil || stated == allowed || stated == .fullAccess
        if let known, !allowed.allowsReading || takesNothing {
            return .under(known, isNew: false, retires: nil, changeID: change.changeID)
        }
        guard known != nil || keyring.count < Limits.accountsMax else {
            return .refused("at most \(Limits.accountsMax) accounts")
        }
        return .under(
            .random(for: account, store), isNew: true, retires: known?.id, changeID: nil)
    }

    private mutating func carryOut(_ sealing: Sealing, of record: Record) {
        switch sealing {
        case .none, .refused, .accessRequired: break
        case .under(let key, let isNew, let retires, _):
            if isNew {
                keyring.add(key)
                newKeys.append(key)
            }
            if let retires { keyring.remove(retires) }
            guard let status = StatedAccess.status(of: record),
                status != keyring.access(under: key.id)
            else { return }
            keyring.state(status, under: key.id)
            statedAccess.append((key.id, status))
        case .erase(let ids):
            for id in ids { keyring.remove(id) }
        }
    }

    /// What a change is known by; nil if it lacks source or id.
    private func changeKey(of record: Record, _ kind: RecordKind?) -> ChangeKey? {
        guard let key = ChangeKey(record), kind?.isPersonal == true else {
            return ChangeKey(record)
        }
        guard let account = record.fields.text(.account), let store = kind?.store,
            let own = keyring.key(of: account, store)
        else {
            // Without a key nothing of the store is kept that it could be a duplicate of.
            return key
        }
        return ChangeKey(
            source: SealedRecord.source, changeID: SealedRecord.changeID(of: record, under: own))
    }

    private func stamped(
        _ entry: JournalEntry, _ kind: RecordKind?, _ sealing: Sealing, _ position: Position
    ) -> Record {
        var record = entry.record
        switch sealing {
        case .none, .refused, .accessRequired: break
        case .under(let key, _, let retires, let changeID):
            record = SealedRecord.seal(record, under: key, changeID: changeID)
            record.fields.retiredKeys = retires.map { [$0] } ?? []
        case .erase(let ids):
            record = SealedRecord.erasing(ids)
        }
        record.fields.position = position
        record.fields.set(.recordedTime, timestamp: entry.recordedTime)
        if let kind { record.fields.set(.stream, text: kind.stream) }
        return record
    }

    private mutating func take(
        _ hashes: [ContentHash], _ brought: [ContentHash: [UInt8]], _ size: (ContentHash) -> Int?
    ) {
        for hash in hashes where plannedBlobs[hash] == nil {
            if let bytes = brought[hash], size(hash) != bytes.count {
                blobs.append((hash, bytes))
                plannedBlobs[hash] = bytes.count
            } else {
                existing.append(hash)
            }
        }
    }
}
