/// Reads whole numbers out of a file's bytes; nil beyond their end.
struct ByteReader {
    let bytes: ArraySlice<UInt8>
    var isLittleEndian = false

    /// Reads slices by offsets that count from the slice's own first byte.
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    func byte(at offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[bytes.startIndex + offset])
    }

    func number(at offset: Int, bytes width: Int) -> Int? {
        guard offset >= 0, offset <= count - width else { return nil }
        var value = 0
        for index in 0..<width {
            let place = isLittleEndian ? width - 1 - index : index
            value = value << 8 | Int(bytes[bytes.startIndex + offset + place])
        }
        return value
    }

    func starts(with prefix: some Sequence<UInt8>, at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count else { return false }
        return bytes.dropFirst(offset).starts(with: prefix)
    }
}
