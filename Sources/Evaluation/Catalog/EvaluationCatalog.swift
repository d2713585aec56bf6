public import Matching
import Messages

/// The catalog of an evaluation, ready to be searched.
public struct EvaluationCatalog: Sendable {
    /// Its entries; their numbers are those of `prints`.
    public internal(set) var entries: [CatalogEntry] = []
    /// What is searched.
    public internal(set) var prints = PrintCollection()
    /// The prints of the entries with files, by number; nil for one that could not be read.
    var filePrints: [FeaturePrint?] = []
    /// The numbers of the distractors.
    public internal(set) var distractors: [Int] = []
    /// Entries whose pictures could not be read, each with the reason.
    public internal(set) var notImported: [String] = []
    /// How building it went.
    public internal(set) var build = CatalogBuild()

    /// The numbers of the distractors that generated entries may show parts of.
    var material: [Int] {
        Array(
            distractors.filter { filePrints[$0] != nil }.prefix(Limits.materialPicturesMax))
    }
}

/// How building a catalog went.
public struct CatalogBuild: Sendable {
    /// Entries of sets.
    public var ofSets = 0
    /// Entries of a folder of distractors.
    public var distractors = 0
    /// Generated entries.
    public var generated = 0
    /// First volumes of generated series.
    public var series = 0
    /// Prints that were there from an earlier run.
    public var cached = 0
    /// Features of all entries.
    public var features = 0
    /// Bytes of all encoded prints.
    public var printBytes = 0
    /// What a worker keeps of all entries: bytes that every search scans, and bytes of pictures.
    public var indexBytes = (scanned: 0, pictures: 0)
    /// Bytes by which the process grew.
    public var residentBytes = 0
    /// From beginning to end.
    public var milliseconds = 0.0

    /// Entries in all.
    public var entries: Int { ofSets + distractors + generated + series }

    /// A sum over the entries for each of them.
    public func each(_ sum: Int) -> Double { entries == 0 ? 0 : Double(sum) / Double(entries) }
}
