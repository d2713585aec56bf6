internal import Messages

/// The diagnostics frame of a reply, written without making a document of it: it goes with each.
enum Diagnostics {
    static func json(of exchange: Exchange, _ now: Now) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + 160 * exchange.parts.count)
        bytes += "{\"elapsedMilliseconds\":".utf8
        append(now.monotonic.milliseconds(since: exchange.arrival), to: &bytes)
        bytes += ",\"parts\":[".utf8
        let parts = (exchange.preparation.map { [$0] } ?? []) + exchange.parts
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(part, to: &bytes)
        }
        bytes += "]}".utf8
        return bytes
    }

    /// Members in the order of their names, as in canonical JSON.
    private static func append(_ part: PartProgress, to bytes: inout [UInt8]) {
        bytes += "{\"answered\":".utf8
        bytes += (part.isAnswered ? "true" : "false").utf8
        bytes += ",\"attempt\":".utf8
        append(UInt64(part.failures + 1), to: &bytes)
        bytes += ",\"milliseconds\":".utf8
        append(part.shown.milliseconds, to: &bytes)
        bytes += ",\"part\":".utf8
        JSONValue.append(part.offer.displayName, to: &bytes)
        bytes += ",\"stages\":".utf8
        JSONValue.append(part.shown.stages, to: &bytes)
        bytes += ",\"worker\":".utf8
        JSONValue.append(part.lastWorkerName, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        guard number > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
        append(number / 10, to: &bytes)
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
