import CMatching

/// How many features of a segment each word has.
struct WordCounts {
    private var counts = [UInt32](repeating: 0, count: Vocabulary.count)

    /// The counts of these words.
    init(_ words: [UInt16] = []) {
        for word in words { counts[Int(word)] += 1 }
    }

    /// Counts so many more features of a word.
    mutating func add(_ count: Int, of word: Int) { counts[word] += UInt32(count) }

    /// Where each word's features begin, and where the last one's end.
    var starts: [UInt32] {
        var starts: [UInt32] = [0]
        starts.reserveCapacity(Vocabulary.count + 1)
        for count in counts { starts.append(starts[starts.count - 1] + count) }
        return starts
    }
}

/// Writes features to where their words' lists stand in a segment.
struct PostingWriter {
    /// Where each word's next feature goes.
    private var next: [UInt32]
    private let bytes: UnsafeMutableRawBufferPointer
    private let layout: SegmentLayout

    /// A writer into the bytes of a layout; they must outlive it.
    init(_ bytes: UnsafeMutableRawBufferPointer, _ layout: SegmentLayout, _ starts: [UInt32]) {
        next = starts
        self.bytes = bytes
        self.layout = layout
    }

    /// Appends the features of a picture.
    mutating func append(_ picture: RecentPicture, slot: UInt16) {
        let codes = HalfCode.halves(of: picture.picture.codes)
        for (feature, word) in picture.words.enumerated() {
            append(
                Int(word), codes[feature], slot,
                CoarsePlace(picture.picture.features[feature]).bits)
        }
    }

    /// Appends the features of another segment's pictures.
    ///
    /// - Parameter places: Of each of its slots the slot here; -1 for one that is left out.
    mutating func append(_ others: cm_postings, to places: [Int32]) {
        for word in 0..<Vocabulary.count {
            for other in Int(others.starts[word])..<Int(others.starts[word + 1]) {
                let slot = places[Int(others.slots[other])]
                guard slot >= 0 else { continue }
                append(word, others.codes[other], UInt16(slot), others.places[other])
            }
        }
    }

    private mutating func append(_ word: Int, _ code: UInt64, _ slot: UInt16, _ place: UInt32) {
        let at = Int(next[word])
        next[word] += 1
        bytes.storeBytes(of: code, toByteOffset: layout.codesAt + 8 * at, as: UInt64.self)
        bytes.storeBytes(of: slot, toByteOffset: layout.slotsAt + 2 * at, as: UInt16.self)
        bytes.storeBytes(of: place, toByteOffset: layout.placesAt + 4 * at, as: UInt32.self)
    }
}
