internal import Messages

/// The diagnostics frame of a reply, written without making a document of it: it goes with each.
enum Diagnostics {
    private static let elapsed = Array("{\"elapsedMilliseconds\":".utf8)
    private static let parts = Array(",\"parts\":[".utf8)
    private static let answered = Array("{\"answered\":true,\"attempt\":".utf8)
    private static let missing = Array("{\"answered\":false,\"attempt\":".utf8)
    private static let milliseconds = Array(",\"milliseconds\":".utf8)
    private static let part = Array(",\"part\":".utf8)
    private static let stages = Array(",\"stages\":".utf8)
    private static let worker = Array(",\"worker\":".utf8)

    static func json(of exchange: Exchange, _ now: Now) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + 160 * exchange.parts.count)
        bytes += Self.elapsed
        append(now.monotonic.milliseconds(since: exchange.arrival), to: &bytes)
        bytes += Self.parts
        if let preparation = exchange.preparation {
            append(preparation, to: &bytes)
            if !exchange.parts.isEmpty { bytes.append(UInt8(ascii: ",")) }
        }
        for index in exchange.parts.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(exchange.parts[index], to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Members in the order of their names, as in canonical JSON.
    private static func append(_ part: PartProgress, to bytes: inout [UInt8]) {
        bytes += part.isAnswered ? answered : missing
        append(UInt64(part.failures + 1), to: &bytes)
        bytes += Self.milliseconds
        append(part.shown?.milliseconds ?? 0, to: &bytes)
        bytes += Self.part
        JSONValue.append(part.offer.displayName, to: &bytes)
        bytes += Self.stages
        JSONValue.append(part.shown?.stages ?? "", to: &bytes)
        bytes += Self.worker
        JSONValue.append(part.lastWorkerName, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        guard number > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
        append(number / 10, to: &bytes)
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
