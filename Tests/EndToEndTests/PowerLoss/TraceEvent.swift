import Foundation

/// One thing that a watched process did.
struct TraceEvent {
    enum Kind: UInt8 {
        case create = 67  // C
        case write = 87  // W
        case truncate = 84  // T
        case syncBegin = 83  // S
        case syncEnd = 69  // E
        case rename = 82  // R
        case unlink = 85  // U
        case makeFolder = 77  // M
        case send = 78  // N
        case start = 80  // P
        case outcome = 68  // D

        /// An event behind which its outcome is noted.
        var hasOutcome: Bool {
            switch self {
            case .create, .write, .truncate, .rename, .unlink, .makeFolder: true
            case .syncBegin, .syncEnd, .send, .start, .outcome: false
            }
        }
    }

    let kind: Kind
    let result: Int32
    /// The file's number in its file system, or the socket.
    var file: UInt64
    /// Of a write; the new size of a truncation.
    let offset: Int
    let path: String
    let second: String
    var data: ArraySlice<UInt8>

    struct BadTrace: Error { let offset: Int }

    private static let headBytes = 33

    /// What was done, in order; calls that failed are left out.
    static func all(in bytes: [UInt8]) throws -> [TraceEvent] {
        var events: [TraceEvent] = []
        var pending: TraceEvent?
        for event in try noted(in: bytes) {
            if event.kind.hasOutcome {
                pending = event
            } else if event.kind == .outcome, var last = pending {
                pending = nil
                guard event.result >= 0 else { continue }
                if last.kind == .create { last.file = event.file }
                if last.kind == .write { last.data = last.data.prefix(Int(event.result)) }
                events.append(last)
            } else {
                events.append(event)
            }
        }
        return events
    }

    /// The last event, if its outcome is not known.
    static func unfinished(in bytes: [UInt8]) throws -> TraceEvent? {
        try noted(in: bytes).last.flatMap { $0.kind.hasOutcome ? $0 : nil }
    }

    /// The bytes of an outcome.
    static func outcome(_ result: Int32, file: UInt64) -> Data {
        var data = Data([Kind.outcome.rawValue])
        withUnsafeBytes(of: result) { data.append(contentsOf: $0) }
        withUnsafeBytes(of: file) { data.append(contentsOf: $0) }
        return data + Data(count: headBytes - data.count)
    }

    private static func noted(in bytes: [UInt8]) throws -> [TraceEvent] {
        var events: [TraceEvent] = []
        var index = 0
        while index + headBytes <= bytes.count {
            func integer<Value: FixedWidthInteger>(_ at: Int, _: Value.Type) -> Value {
                bytes.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: index + at, as: Value.self)
                }
            }
            guard let kind = Kind(rawValue: bytes[index]) else { throw BadTrace(offset: index) }
            let lengths = [21, 25, 29].map { Int(integer($0, UInt32.self)) }
            var start = index + headBytes
            guard start + lengths.reduce(0, +) <= bytes.count else { break }
            let parts = lengths.map { length in
                defer { start += length }
                return bytes[start..<start + length]
            }
            events.append(
                TraceEvent(
                    kind: kind, result: integer(1, Int32.self), file: integer(5, UInt64.self),
                    offset: Int(integer(13, UInt64.self)),
                    path: String(decoding: parts[0], as: UTF8.self),
                    second: String(decoding: parts[1], as: UTF8.self), data: parts[2]))
            index = start
        }
        return events
    }
}
