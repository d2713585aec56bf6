public import Messages

/// A request and its reply as they passed a router.
public struct RecordedExchange: Sendable, Equatable {
    /// When the request came, for people and for as-of.
    public var recordedTime: Timestamp
    /// When the request came: nanoseconds of the monotonic clock since the recording began, from
    /// which a replay takes its pace.
    public var offsetNanoseconds: UInt64
    /// Who sent the request.
    public var client: Identity
    /// The frames of the request, without routing id.
    public var request: [[UInt8]]
    /// The frames of the reply, without routing id.
    public var reply: [[UInt8]]

    /// From its parts.
    public init(
        recordedTime: Timestamp, offsetNanoseconds: UInt64, client: Identity,
        request: [[UInt8]], reply: [[UInt8]]
    ) {
        self.recordedTime = recordedTime
        self.offsetNanoseconds = offsetNanoseconds
        self.client = client
        self.request = request
        self.reply = reply
    }
}

/// The bytes of an exchange in a message log.
///
/// ```
///      0    1  version of this layout, 1
///      1    8  sequence in the log
///      9    8  recorded time, two's complement: milliseconds since 1970
///     17    8  offset in nanoseconds
///     25   16  identity of the client
///     41    2  number of request frames, each preceded by its length in 4 bytes
///      …    2  number of reply frames, each preceded by its length in 4 bytes
/// ```
enum ExchangeCodec {
    private static let version: UInt8 = 1

    static func encode(_ exchange: RecordedExchange, sequence: UInt64) -> [UInt8] {
        var bytes: [UInt8] = [version]
        bytes += bigEndianBytes(sequence)
        bytes += bigEndianBytes(UInt64(bitPattern: exchange.recordedTime.milliseconds))
        bytes += bigEndianBytes(exchange.offsetNanoseconds)
        bytes += exchange.client.bytes
        for frames in [exchange.request, exchange.reply] {
            precondition(frames.count <= Limits.framesMax, "a message has bounded frames")
            bytes += bigEndianBytes(UInt16(frames.count))
            for frame in frames {
                bytes += bigEndianBytes(UInt32(frame.count))
                bytes += frame
            }
        }
        return bytes
    }

    /// Nil if the bytes are no exchange of this sequence.
    static func decode(_ bytes: [UInt8], sequence: UInt64) -> RecordedExchange? {
        var reader = ByteReader(bytes[...])
        guard let version: UInt8 = reader.integer(), version == Self.version,
            let stated: UInt64 = reader.integer(), stated == sequence,
            let time: UInt64 = reader.integer(), let offset: UInt64 = reader.integer(),
            let client = reader.take(16).flatMap({ Identity(bytes: Array($0)) }),
            let request = frames(&reader), let reply = frames(&reader), reader.remaining == 0
        else { return nil }
        return RecordedExchange(
            recordedTime: Timestamp(milliseconds: Int64(bitPattern: time)),
            offsetNanoseconds: offset, client: client, request: request, reply: reply)
    }

    private static func frames(_ reader: inout ByteReader) -> [[UInt8]]? {
        guard let count: UInt16 = reader.integer() else { return nil }
        var frames: [[UInt8]] = []
        for _ in 0..<count {
            guard let bytes: UInt32 = reader.integer(), let frame = reader.take(Int(bytes))
            else { return nil }
            frames.append(Array(frame))
        }
        return frames
    }
}
