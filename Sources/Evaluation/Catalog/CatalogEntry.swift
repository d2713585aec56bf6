/// One entry of the catalog that an evaluation searches.
public struct CatalogEntry: Sendable {
    /// Where its picture comes from.
    public enum Source: Sendable, Equatable {
        /// A file.
        case file(path: String)
        /// The generator; the material is named by the numbers of entries.
        case generated(index: Int, material: [Int])
        /// The first volume of a generated series.
        case series(Int)
    }

    /// What it is called in answers.
    public let id: String
    /// Where its picture comes from.
    public let source: Source
    /// The sets whose catalogs have it; empty for what fills the catalog up.
    public internal(set) var sets: Set<String> = []

    /// An entry of no set.
    package init(id: String, source: Source) {
        self.id = id
        self.source = source
    }

    /// An entry that fills the catalog up.
    var isFill: Bool { sets.isEmpty }
}

/// The entries that an evaluation will have, before any picture is read.
struct CatalogPlan {
    /// Those with files: of the sets, then the distractors.
    private(set) var entries: [CatalogEntry] = []
    /// The numbers of the distractors.
    private(set) var distractors: [Int] = []
    private var numbers: [String: Int] = [:]

    /// The catalogs of some sets below `root`, each picture once, and a folder of distractors.
    init(_ sets: [EvaluationSet], root: String, distractors folder: String?) throws {
        for set in sets {
            for picture in set.catalog {
                let number = number(of: picture, path: "\(root)/\(picture)")
                entries[number].sets.insert(set.name)
            }
        }
        guard let folder else { return }
        for name in try PictureFolder.files(of: folder) {
            let known = entries.count
            let number = number(of: name, path: "\(folder)/\(name)")
            // A file that a set has too is the set's.
            if number == known { distractors.append(number) }
        }
    }

    private mutating func number(of id: String, path: String) -> Int {
        if let number = numbers[path] { return number }
        numbers[path] = entries.count
        entries.append(CatalogEntry(id: id, source: .file(path: path)))
        return entries.count - 1
    }
}
