/// Makes the bytes of a segment, one picture after the other.
struct SegmentBuilder {
    private let writer: any SegmentWriter
    private var rows: [UInt8] = []
    private var words: [UInt16] = []
    private var codes: [UInt64] = []
    private var places: [CoarsePlace] = []
    private var counts: [Int] = []
    private var wholes: [UInt8] = []
    private var pictureBytes = 0

    /// A builder that gives the pictures' part to a writer.
    init(_ writer: any SegmentWriter) { self.writer = writer }

    /// Adds a picture; false if the writer cannot keep it.
    mutating func add(_ picture: IndexedPicture, _ name: PrintName) -> Bool {
        add(picture, encoded: picture.encoded, name)
    }

    /// Adds a picture whose encoded bytes are known.
    mutating func add(_ picture: IndexedPicture, encoded: [UInt8], _ name: PrintName) -> Bool {
        rows += name.bytes
        rows += picture.digest.prefix(8)
        rows.appendNumber(UInt16(picture.features.count))
        rows += [UInt8](repeating: 0, count: 6)
        words += picture.words
        codes += HalfCode.halves(of: picture.codes)
        places += picture.features.map(CoarsePlace.init)
        counts.append(picture.features.count)
        if picture.features.count < WholePicture.featuresMax {
            wholes += WholePicture.encoded(picture.whole)
        }
        pictureBytes += encoded.count
        return writer.append(encoded)
    }

    /// The segment; nil if the writer cannot keep it.
    consuming func finish() -> (any SegmentBytes)? { writer.finish(index: index()) }

    private func index() -> [UInt8] {
        let layout = SegmentLayout(
            pictures: counts.count, features: words.count,
            wholes: wholes.count / WholePicture.byteCount, pictureBytes: pictureBytes)
        var starts = [UInt32](repeating: 0, count: Vocabulary.count + 1)
        for word in words { starts[Int(word) + 1] += 1 }
        for word in 0..<Vocabulary.count { starts[word + 1] += starts[word] }
        return [UInt8](unsafeUninitializedCapacity: layout.byteCount) { bytes, filled in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            bytes.copyBytes(from: layout.head + rows)
            for (word, start) in starts.enumerated() {
                bytes.storeBytes(
                    of: start, toByteOffset: layout.startsAt + 4 * word, as: UInt32.self)
            }
            place(&starts, bytes, layout)
            UnsafeMutableRawBufferPointer(rebasing: bytes[layout.wholesAt...])
                .copyBytes(from: wholes)
            filled = layout.byteCount
        }
    }

    /// Writes codes, slots and places to where the features' words begin.
    private func place(
        _ next: inout [UInt32], _ bytes: UnsafeMutableRawBufferPointer, _ layout: SegmentLayout
    ) {
        var feature = 0
        for (slot, count) in counts.enumerated() {
            for _ in 0..<count {
                let place = Int(next[Int(words[feature])])
                next[Int(words[feature])] += 1
                bytes.storeBytes(
                    of: codes[feature], toByteOffset: layout.codesAt + 8 * place, as: UInt64.self)
                bytes.storeBytes(
                    of: UInt16(slot), toByteOffset: layout.slotsAt + 2 * place, as: UInt16.self)
                bytes.storeBytes(
                    of: places[feature].bits, toByteOffset: layout.placesAt + 4 * place,
                    as: UInt32.self)
                feature += 1
            }
        }
    }
}
