/// A picture of an entry that is in no segment yet.
struct RecentPicture: Sendable {
    let picture: IndexedPicture
    /// The nearest word of each feature.
    let words: [UInt16]
    /// What its print is known by.
    let name: PrintName

    init(_ print: FeaturePrint, _ name: PrintName) {
        picture = IndexedPicture(print)
        let each = Vocabulary.wordsPerDescriptor
        words = print.features.indices.map { print.words[$0 * each] }
        self.name = name
    }
}
