/// Makes the bytes of a segment: the pictures one after the other, then their features by word.
struct SegmentBuilder {
    private let writer: any SegmentWriter
    private var rows: [UInt8] = []
    private var pictures = 0
    private var wholes: [UInt8] = []
    private var pictureBytes = 0

    /// A builder that gives the pictures' part to a writer.
    init(_ writer: any SegmentWriter) { self.writer = writer }

    /// Adds a picture of the entry of an order; false if the writer cannot keep it.
    mutating func add(_ picture: RecentPicture, order: UInt64) -> Bool {
        rows += SegmentLayout.row(of: picture, order: order)
        return add(picture.picture.encoded, hasWhole: picture.picture.hasPartsOfWhole)
    }

    /// Adds a picture of a segment; false if it cannot be read, or the writer cannot keep it.
    mutating func add(_ slot: Int, of segment: PrintSegment) -> Bool {
        guard let encoded = segment.encodedPicture(slot) else { return false }
        rows += segment.row(slot)
        return add(
            encoded, hasWhole: segment.slots[slot].features < WholePicture.featuresMax)
    }

    private mutating func add(_ encoded: [UInt8], hasWhole: Bool) -> Bool {
        pictures += 1
        if hasWhole { wholes += encoded.suffix(WholePicture.byteCount) }
        pictureBytes += encoded.count
        return writer.append(encoded)
    }

    /// The segment; nil if the writer cannot keep it.
    ///
    /// - Parameters:
    ///   - counts: How many features each word has.
    ///   - write: Appends as many, those of a word in the order of their pictures.
    consuming func finish(
        featuresOf counts: WordCounts, _ write: (inout PostingWriter) -> Void
    ) -> (any SegmentBytes)? {
        writer.finish(index: index(counts.starts, write))
    }

    private func index(
        _ starts: [UInt32], _ write: (inout PostingWriter) -> Void
    ) -> [UInt8] {
        let layout = SegmentLayout(
            pictures: pictures, features: Int(starts[Vocabulary.count]),
            wholes: wholes.count / WholePicture.byteCount, pictureBytes: pictureBytes)
        return [UInt8](unsafeUninitializedCapacity: layout.byteCount) { bytes, filled in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            bytes.copyBytes(from: layout.head + rows)
            for (word, start) in starts.enumerated() {
                bytes.storeBytes(
                    of: start, toByteOffset: layout.startsAt + 4 * word, as: UInt32.self)
            }
            var postings = PostingWriter(bytes, layout, starts)
            write(&postings)
            UnsafeMutableRawBufferPointer(rebasing: bytes[layout.wholesAt...])
                .copyBytes(from: wholes)
            filled = layout.byteCount
        }
    }
}
