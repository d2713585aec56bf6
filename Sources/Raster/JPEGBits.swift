/// A table of Huffman codes (ITU-T T.81, annexes C and F.2.2.3).
struct HuffmanTable {
    /// For each length of a code: the first code, how many there are, and where their symbols are.
    private var firstCode = [Int](repeating: 0, count: 17)
    private var counts = [Int](repeating: 0, count: 17)
    private var firstSymbol = [Int](repeating: 0, count: 17)
    private var symbols: [Int] = []

    /// Reads the tables of one segment.
    static func read(
        _ reader: ByteReader, into tables: inout [Int: HuffmanTable]
    ) throws(RasterError) {
        var offset = 0
        while offset < reader.count {
            var table = HuffmanTable()
            var code = 0
            for length in 1...16 {
                guard let count = reader.byte(at: offset + length) else { throw damaged }
                table.firstCode[length] = code
                table.counts[length] = count
                table.firstSymbol[length] = table.firstSymbol[length - 1] + table.counts[length - 1]
                code = (code + count) << 1
            }
            let total = table.counts.reduce(0, +)
            for index in 0..<total {
                guard let symbol = reader.byte(at: offset + 17 + index), symbol <= 16 else {
                    throw damaged
                }
                table.symbols.append(symbol)
            }
            tables[(reader.byte(at: offset) ?? 0) & 15] = table
            offset += 17 + total
        }
    }

    /// The symbol of a code; nil if there is none of this length.
    func symbol(code: Int, length: Int) -> Int? {
        let index = code - firstCode[length]
        guard index >= 0, index < counts[length] else { return nil }
        return symbols[firstSymbol[length] + index]
    }

    private static var damaged: RasterError {
        RasterError(.corrupt, "JPEG: a damaged Huffman table of a lossless picture")
    }
}

/// Reads the bits of a scan.
struct JPEGBits {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset: Int
    private var held = 0
    private var count = 0

    /// The bytes must outlive the reader.
    init(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next bit; nil at a marker.
    private mutating func bit() -> Int? {
        if count == 0 {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            if byte == 0xFF {
                guard offset + 1 < bytes.count, bytes[offset + 1] == 0 else { return nil }
                offset += 1
            }
            offset += 1
            held = Int(byte)
            count = 8
        }
        count -= 1
        return held >> count & 1
    }

    /// A difference, as section H.1.2.2 codes it; nil at a marker or an unknown code.
    mutating func difference(_ table: HuffmanTable) -> Int? {
        var code = 0
        for length in 1...16 {
            guard let bit = bit() else { return nil }
            code = code << 1 | bit
            guard let category = table.symbol(code: code, length: length) else { continue }
            guard category > 0 else { return 0 }
            guard category < 16 else { return 32_768 }
            var value = 0
            for _ in 0..<category {
                guard let bit = self.bit() else { return nil }
                value = value << 1 | bit
            }
            return value >> (category - 1) == 1 ? value : value - (1 << category) + 1
        }
        return nil
    }

    /// Passes over a restart mark; false if none stands here.
    mutating func restart() -> Bool {
        count = 0
        while offset + 1 < bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] == 0xFF {
            offset += 1
        }
        guard offset + 1 < bytes.count, bytes[offset] == 0xFF,
            (0xD0...0xD7).contains(bytes[offset + 1])
        else { return false }
        offset += 2
        return true
    }
}
