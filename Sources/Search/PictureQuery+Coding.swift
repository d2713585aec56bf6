import Matching
import Messages

/// A query as bytes, for those who search with a picture that somebody else has decoded.
///
/// ```
///      0    1  version, 1
///      1    1  number of looks, at least 1
///      2    n  looks, one behind the other: scale, left and top (8 bytes each, IEEE 754 of 64
///              bits), length of the print (4), print
/// ```
/// Big-endian. The print is coded as `FeaturePrint` says.
extension PictureQuery {
    private static let version: UInt8 = 1
    /// A page has far fewer regions.
    private static let looksMax = 255

    /// The bytes.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = [Self.version, UInt8(clamping: looks.count)]
        for look in looks.prefix(Self.looksMax) {
            for number in [look.scale, look.left, look.top] {
                bytes += bigEndianBytes(number.bitPattern)
            }
            let print = look.print.encoded()
            bytes += bigEndianBytes(UInt32(print.count)) + print
        }
        return bytes
    }

    /// Reads what `encoded` wrote.
    ///
    /// - Throws: `MatchingError` for a print that cannot be read, `QueryError` for other bytes.
    public init(decoding bytes: [UInt8]) throws {
        guard bytes.count >= 2, bytes[0] == Self.version, bytes[1] > 0 else { throw QueryError() }
        var rest = bytes[2...]
        func take(_ count: Int) throws -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw QueryError() }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number() throws -> Double {
            let value = Double(bitPattern: bigEndianInteger(Array(try take(8))))
            // The corners of an outline have to be whole numbers of pixels.
            guard value.isFinite, value.magnitude <= Double(Limits.pictureSideMax) else {
                throw QueryError()
            }
            return value
        }
        var looks: [Look] = []
        for _ in 0..<bytes[1] {
            let (scale, left, top) = (try number(), try number(), try number())
            let count: UInt32 = bigEndianInteger(Array(try take(4)))
            let print = try FeaturePrint(decoding: Array(try take(Int(count))))
            looks.append(Look(print: print, scale: scale, left: left, top: top))
        }
        guard rest.isEmpty else { throw QueryError() }
        self.init(looks: looks)
    }
}

/// Bytes that are no query.
public struct QueryError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let description = "the bytes are no query of version 1"
    /// The only one there is.
    public init() {}
}
