public import Messages

/// What one TAIL carries: records in order, and the blobs that travel with them.
public struct TailPart: Sendable {
    /// Every record of the span, whatever its stream.
    public var records: [Record] = []
    /// Prints and thumbnails of the records in the wanted streams, each once, in order.
    public var blobs: [(ContentHash, [UInt8])] = []
    /// The keys that records in the wanted streams are sealed under, each once, in order.
    public var keys: [AccountKey] = []
    /// Blobs that should travel and could not be read; the replica puts their records aside.
    public var unreadable: [ContentHash] = []

    /// Records with the blobs that travel with them; nothing unless stated.
    public init(records: [Record] = [], blobs: [(ContentHash, [UInt8])] = []) {
        self.records = records
        self.blobs = blobs
    }
}

extension JournalBackend {
    /// The records behind a sequence, with the blobs of those that belong to some streams.
    ///
    /// - Parameters:
    ///   - sequence: The last record that the replica has; 0 for none.
    ///   - recordsMax: Records at most.
    ///   - bytesMax: Bytes of wanted records and their blobs at most, but always one record.
    ///   - streams: The streams whose blobs are wanted; empty for all.
    /// - Throws: `JournalError` if the first record cannot be read.
    public func tail(
        after sequence: UInt64, recordsMax: Int, bytesMax: Int, streams: Set<String>
    ) throws(JournalError) -> TailPart {
        var part = TailPart()
        var seen: Set<ContentHash> = []
        let keyring = keyring
        var bytes = 0
        let records = try read(after: sequence, recordsMax: recordsMax, bytesMax: bytesMax)
        for record in records {
            guard record.isWanted(in: streams) else {
                part.records.append(record)
                continue
            }
            let (blobs, unreadable) = readable(record.travellingBlobs.filter { !seen.contains($0) })
            bytes += record.encodedByteCount + blobs.reduce(0) { $0 + $1.1.count }
            let frames = part.blobs.count + blobs.count
            guard part.records.isEmpty || (bytes <= bytesMax && frames <= attachmentsMax) else {
                break
            }
            part.records.append(record)
            part.blobs += blobs
            part.unreadable += unreadable
            if let key = record.fields.keyID.flatMap({ keyring[$0] }), !part.keys.contains(key) {
                part.keys.append(key)
            }
            seen.formUnion(blobs.map(\.0))
        }
        return part
    }

    private func readable(
        _ hashes: [ContentHash]
    ) -> (blobs: [(ContentHash, [UInt8])], unreadable: [ContentHash]) {
        var blobs: [(ContentHash, [UInt8])] = []
        var unreadable: [ContentHash] = []
        for hash in hashes {
            // A blob that cannot be read must not keep its record from the replicas.
            if let bytes = try? blob(hash) {
                blobs.append((hash, bytes))
            } else {
                unreadable.append(hash)
            }
        }
        return (blobs, unreadable)
    }

    /// Frames of a message without header, body and diagnostics.
    private var attachmentsMax: Int { Limits.framesMax - 3 }
}

extension Record {
    /// The stream that the journal wrote into the record, or that of its kind.
    var stream: String? { fields.text(.stream) ?? kind?.stream }

    /// Whether a replica of these streams wants the record; no streams means all of them.
    func isWanted(in streams: Set<String>) -> Bool {
        streams.isEmpty || stream.map(streams.contains) ?? false
    }

    /// Hashes of the blobs that every replica gets, each once, in order.
    var travellingBlobs: [ContentHash] {
        var hashes: [ContentHash] = []
        for blob in fields.blobs where !hashes.contains(blob.hash) {
            switch blob.role {
            case .print, .thumbnail: hashes.append(blob.hash)
            case .picture: continue
            }
        }
        return hashes
    }
}
