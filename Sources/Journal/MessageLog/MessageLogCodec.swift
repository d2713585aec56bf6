internal import Bytes
internal import Messages

/// The bytes of an entry in a message log.
///
/// ```
///      0    1  version of this layout, 2
///      1    8  sequence in the log
///      9    8  recorded time, two's complement: milliseconds since 1970
///     17    8  offset in nanoseconds
///     25    1  kind: 0 plain, 1 sealed, 2 gap
/// plain and sealed
///     26    1  bit 0: the reply is complete; bit 1: it has a position; bits 2-3: attachments
///     27   16  position, 0 if the reply has none
/// plain
///     43    n  content
/// sealed
///     43   16  id of the key
///     59    n  content, encrypted under it
/// gap
///     26    8  exchanges left out
///     34    8  offset of the first
///     42    8  offset of the last
///
/// content
///      0   16  identity of the client
///     16    2  number of request frames, each preceded by its length in 4 bytes
///      …    2  number of reply frames, each preceded by its length in 4 bytes
/// ```
enum MessageLogCodec {
    private static let version: UInt8 = 2
    private enum Kind: UInt8 { case plain, sealed, gap }

    /// Where the sequence stands in an entry.
    private static let sequenceOffset = 1

    /// Adds an entry whose sequence is written later.
    static func append(_ entry: MessageLogWriter.Entry, to bytes: inout [UInt8]) {
        switch entry {
        case .plain(let exchange):
            // In one piece: an exchange is mostly pictures, and copying is most of the work.
            bytes.makeRoom(for: 64 + contentBytes(exchange))
            appendHead(of: exchange, .plain, to: &bytes)
            appendContent(exchange, to: &bytes)
        case .sealed(let exchange, let key):
            var content: [UInt8] = []
            content.reserveCapacity(contentBytes(exchange))
            appendContent(exchange, to: &content)
            appendHead(of: exchange, .sealed, to: &bytes)
            bytes += key.id.bytes
            bytes += key.seal(content)
        case .gap(let gap, let time):
            appendHead(time, gap.lastOffset, .gap, to: &bytes)
            for number in [gap.count, gap.firstOffset, gap.lastOffset] {
                bytes.append(bigEndian: number)
            }
        }
    }

    /// Writes the sequence of an entry that begins at an index.
    static func number(_ sequence: UInt64, entryAt index: Int, in bytes: inout [UInt8]) {
        for place in 0..<8 {
            bytes[index + sequenceOffset + place] =
                UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64(place)))
        }
    }

    private static func appendHead(
        of exchange: RecordedExchange, _ kind: Kind, to bytes: inout [UInt8]
    ) {
        appendHead(exchange.recordedTime, exchange.offsetNanoseconds, kind, to: &bytes)
        append(exchange.summary, to: &bytes)
    }

    private static func appendHead(
        _ time: Timestamp, _ offset: UInt64, _ kind: Kind, to bytes: inout [UInt8]
    ) {
        bytes.append(version)
        bytes.append(bigEndian: UInt64(0))
        bytes.append(bigEndian: UInt64(bitPattern: time.milliseconds))
        bytes.append(bigEndian: offset)
        bytes.append(kind.rawValue)
    }

    /// Nil if the bytes are no entry of this sequence.
    static func decode(
        _ bytes: [UInt8], sequence: UInt64, keys: Keyring
    ) -> MessageLogEntry? {
        var reader = ByteReader(bytes[...])
        guard let version: UInt8 = reader.integer(), version == Self.version,
            let stated: UInt64 = reader.integer(), stated == sequence,
            let time: UInt64 = reader.integer(), let offset: UInt64 = reader.integer(),
            let kind: UInt8 = reader.integer()
        else { return nil }
        let start = Start(
            time: Timestamp(milliseconds: Int64(bitPattern: time)), offset: offset)
        let content: MessageLogEntry.Content? =
            switch Kind(rawValue: kind) {
            case .plain: plain(&reader, start)
            case .sealed: sealed(&reader, start, keys)
            case .gap: gap(&reader)
            case nil: nil
            }
        guard let content else { return nil }
        return MessageLogEntry(
            number: sequence, recordedTime: start.time, offsetNanoseconds: offset,
            content: content)
    }

    private struct Start {
        let time: Timestamp
        let offset: UInt64
    }

    // MARK: Summary

    private static func append(
        _ summary: RecordedExchange.Summary, to bytes: inout [UInt8]
    ) {
        bytes.append(
            (summary.isComplete ? 1 : 0) | (summary.position == nil ? 0 : 2)
                | summary.attachments.rawValue << 2)
        bytes.append(bigEndian: summary.position?.epoch ?? 0)
        bytes.append(bigEndian: summary.position?.sequence ?? 0)
    }

    private static func summary(_ reader: inout ByteReader) -> RecordedExchange.Summary? {
        guard let flags: UInt8 = reader.integer(), flags < 16,
            let attachments = RecordedAttachments(rawValue: flags >> 2),
            let epoch: UInt64 = reader.integer(), let sequence: UInt64 = reader.integer()
        else { return nil }
        return RecordedExchange.Summary(
            position: flags & 2 == 0 ? nil : Position(epoch: epoch, sequence: sequence),
            isComplete: flags & 1 != 0, attachments: attachments)
    }

    // MARK: Content

    private static func contentBytes(_ exchange: RecordedExchange) -> Int {
        exchange.request.reduce(20) { $0 + 4 + $1.count }
            + exchange.reply.reduce(0) { $0 + 4 + $1.count }
    }

    private static func appendContent(_ exchange: RecordedExchange, to bytes: inout [UInt8]) {
        bytes += exchange.client.bytes
        append(exchange.request, to: &bytes)
        append(exchange.reply, to: &bytes)
    }

    private static func append(_ frames: [SharedBytes], to bytes: inout [UInt8]) {
        precondition(frames.count <= Limits.framesMax, "a message has bounded frames")
        bytes.append(bigEndian: UInt16(frames.count))
        for frame in frames {
            bytes.append(bigEndian: UInt32(frame.count))
            bytes += frame
        }
    }

    private static func plain(
        _ reader: inout ByteReader, _ start: Start
    ) -> MessageLogEntry.Content? {
        guard let summary = summary(&reader) else { return nil }
        return exchange(&reader, start, summary).map { .exchange($0, nil) }
    }

    private static func sealed(
        _ reader: inout ByteReader, _ start: Start, _ keys: Keyring
    ) -> MessageLogEntry.Content? {
        guard let summary = summary(&reader),
            let id = reader.take(KeyID.byteCount).flatMap({ KeyID(bytes: Array($0)) }),
            let cipher = reader.take(reader.remaining)
        else { return nil }
        guard let key = keys[id] else { return .erased(id, summary) }
        guard let bytes = key.open(Array(cipher)) else { return nil }
        var inner = ByteReader(bytes[...])
        return exchange(&inner, start, summary).map { .exchange($0, id) }
    }

    private static func gap(_ reader: inout ByteReader) -> MessageLogEntry.Content? {
        guard let count: UInt64 = reader.integer(), let first: UInt64 = reader.integer(),
            let last: UInt64 = reader.integer(), reader.remaining == 0
        else { return nil }
        return .gap(RecordingGap(count: count, firstOffset: first, lastOffset: last))
    }

    private static func exchange(
        _ reader: inout ByteReader, _ start: Start, _ summary: RecordedExchange.Summary
    ) -> RecordedExchange? {
        guard let client = reader.take(16).flatMap({ Identity(bytes: Array($0)) }),
            let request = frames(&reader), let reply = frames(&reader), reader.remaining == 0
        else { return nil }
        return RecordedExchange(
            recordedTime: start.time, offsetNanoseconds: start.offset, client: client,
            request: request, reply: reply, summary: summary)
    }

    private static func frames(_ reader: inout ByteReader) -> [SharedBytes]? {
        guard let count: UInt16 = reader.integer() else { return nil }
        var frames: [SharedBytes] = []
        for _ in 0..<count {
            guard let bytes: UInt32 = reader.integer(), let frame = reader.take(Int(bytes))
            else { return nil }
            frames.append(SharedBytes(Array(frame)))
        }
        return frames
    }
}
