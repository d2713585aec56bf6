/// Which sets may show one another's pictures, so that their queries are no strangers there.
///
/// Two sets are of one family if they share a picture of their catalogs, if their names are the same
/// up to the first hyphen (`smvs-books` and `smvs-dvd-canon`), or if a third set is of one family
/// with both.
public struct Families: Sendable {
    private let family: [String: Int]

    /// The families of some sets.
    public init(_ sets: [EvaluationSet]) {
        var family: [String: Int] = [:]
        for (index, set) in sets.enumerated() { family[set.name] = index }
        func join(_ one: String, _ other: String) {
            guard let kept = family[one], let gone = family[other], kept != gone else { return }
            for (name, number) in family where number == gone { family[name] = kept }
        }
        var firstWithPrefix: [Substring: String] = [:]
        var firstWithPicture: [String: String] = [:]
        for set in sets {
            let prefix = set.name.prefix { $0 != "-" }
            join(firstWithPrefix[prefix] ?? set.name, set.name)
            firstWithPrefix[prefix] = set.name
            for picture in set.catalog {
                join(firstWithPicture[picture] ?? set.name, set.name)
                firstWithPicture[picture] = set.name
            }
        }
        self.family = family
    }

    /// Whether two sets are of one family; a set that is not there is of none.
    public func areOne(_ one: String, _ other: String) -> Bool {
        guard let first = family[one], let second = family[other] else { return false }
        return first == second
    }
}
