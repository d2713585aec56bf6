internal import Messages
internal import Queue
internal import XXHash

/// A detached request as it stands in its file.
///
/// ```
/// size
///    8  "SLTNJOB" and the format, 1
///   16  XXH3-128 of the rest
///    n  length (4 bytes) and JSON of what is no message
///    n  the request: count of frames (2 bytes), then length (4 bytes) and bytes of each
///    n  the reply in the same way; no frame while there is none
/// ```
enum JobFormat {
    private static let magic: [UInt8] = Array("SLTNJOB".utf8) + [1]

    static func encode(_ job: DetachedRequest) -> [UInt8] {
        let statement = JSONValue.object([
            "id": .string(job.id.description), "key": job.key.map(JSONValue.string) ?? .null,
            "owner": .string(job.owner), "fingerprint": .string(job.fingerprint.description),
            "submittedAt": .integer(job.submittedAt.milliseconds),
            "starts": .integer(job.starts),
            "endedAt": job.endedAt.map { .integer($0.milliseconds) } ?? .null,
        ]).canonical()
        let rest =
            framed([statement]) + frames(of: job.request) + (job.reply.map(frames) ?? [0, 0])
        return magic + XXHash.of(rest) + rest
    }

    /// Reads a file whole; nil for anything that this version did not write.
    static func decode(_ bytes: [UInt8]) -> DetachedRequest? {
        guard bytes.starts(with: magic), bytes.count > magic.count + XXHash.byteCount else {
            return nil
        }
        let rest = Array(bytes[(magic.count + XXHash.byteCount)...])
        guard XXHash.of(rest) == Array(bytes[magic.count..<magic.count + XXHash.byteCount]) else {
            return nil
        }
        var reader = FrameReader(bytes: rest[...])
        guard let statement = reader.frame(), let request = reader.message(),
            var job = job(statement, request)
        else { return nil }
        if job.endedAt != nil {
            guard let reply = reader.message() else { return nil }
            job.reply = reply
        }
        return job
    }

    private static func job(_ statement: [UInt8], _ request: Message) -> DetachedRequest? {
        guard let members = parsed(statement),
            let id = members["id"]?.text.flatMap({ RequestID(hex: $0) }),
            let owner = members["owner"]?.text,
            let fingerprint = members["fingerprint"]?.text.flatMap({ ContentHash(hex: $0) }),
            let submittedAt = members["submittedAt"]?.integer
        else { return nil }
        var job = DetachedRequest(
            id: id, key: members["key"]?.text, owner: owner, fingerprint: fingerprint,
            request: request, submittedAt: Timestamp(milliseconds: Int64(submittedAt)))
        job.starts = members["starts"]?.integer.map { Int($0) } ?? 0
        job.endedAt = members["endedAt"]?.integer.map { Timestamp(milliseconds: Int64($0)) }
        return job
    }

    private static func parsed(_ bytes: [UInt8]) -> JSONValue? {
        do throws(JSONError) {
            return try JSONValue(parsing: bytes)
        } catch {
            return nil
        }
    }

    private static func framed(_ frames: [[UInt8]]) -> [UInt8] {
        frames.reduce(into: []) { $0 += bigEndianBytes(UInt32($1.count)) + $1 }
    }

    private static func frames(of message: Message) -> [UInt8] {
        let frames = message.frames()
        return bigEndianBytes(UInt16(frames.count)) + framed(frames)
    }
}

/// Takes length-prefixed frames from bytes; never traps.
private struct FrameReader {
    var bytes: ArraySlice<UInt8>

    mutating func frame() -> [UInt8]? {
        guard let length = number(4), length <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return Array(bytes.prefix(length))
    }

    mutating func message() -> Message? {
        guard let count = number(2), count > 0 else { return nil }
        var frames: [[UInt8]] = []
        for _ in 0..<count {
            guard let frame = frame() else { return nil }
            frames.append(frame)
        }
        do throws(WireError) {
            return try Message(frames: frames)
        } catch {
            return nil
        }
    }

    private mutating func number(_ width: Int) -> Int? {
        guard bytes.count >= width else { return nil }
        defer { bytes = bytes.dropFirst(width) }
        return bytes.prefix(width).reduce(0) { $0 << 8 | Int($1) }
    }
}
