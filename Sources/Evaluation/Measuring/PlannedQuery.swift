import Messages

/// A query before it is asked.
struct PlannedQuery: Sendable {
    /// Where its picture comes from.
    enum Source: Sendable {
        case file(path: String)
        /// A distorted view of a file.
        case view(of: String, Distortion)
        /// A distorted view of the second volume of a series.
        case volume(of: Int, seed: UInt64, Distortion)
    }

    let kind: EvaluatedQuery.Kind
    let set: String
    let picture: String
    let source: Source
    var targets: [[String]] = []
    let rule: AcceptRule
}

/// Which entries a query may find.
struct AcceptRule: Sendable {
    /// By the entry's number.
    let isThere: [Bool]
    /// Those that are taken out nevertheless.
    var removed: Set<Int> = []

    func accepts(_ entry: Int) -> Bool { isThere[entry] && !removed.contains(entry) }

    /// What fills the catalog up, and the catalog of one set.
    static func set(_ name: String, in entries: [CatalogEntry]) -> AcceptRule {
        AcceptRule(isThere: entries.map { $0.isFill || $0.sets.contains(name) })
    }

    /// Everything but the catalogs of one set's family.
    static func withoutFamily(
        of name: String, _ families: Families, in entries: [CatalogEntry]
    ) -> AcceptRule {
        AcceptRule(
            isThere: entries.map { entry in
                !entry.sets.contains { families.areOne(name, $0) }
            })
    }

    /// Everything.
    static func all(_ entries: [CatalogEntry]) -> AcceptRule {
        AcceptRule(isThere: [Bool](repeating: true, count: entries.count))
    }
}

extension PlannedQuery {
    /// The queries of the sets: those that show an entry, the strangers listed, and all of them as
    /// strangers to the other families.
    static func ofSets(
        _ sets: [EvaluationSet], root: String, _ entries: [CatalogEntry]
    ) -> [PlannedQuery] {
        let families = Families(sets)
        return sets.flatMap { set -> [PlannedQuery] in
            let own = AcceptRule.set(set.name, in: entries)
            let others = AcceptRule.withoutFamily(of: set.name, families, in: entries)
            func query(
                _ kind: EvaluatedQuery.Kind, _ picture: String, _ targets: [[String]],
                _ rule: AcceptRule
            ) -> PlannedQuery {
                PlannedQuery(
                    kind: kind, set: set.name, picture: picture,
                    source: .file(path: "\(root)/\(picture)"), targets: targets, rule: rule)
            }
            let shown = set.queries.map {
                query(.positive, $0.picture, set.objects(of: $0.targets), own)
            }
            let listed = set.negatives.map { query(.listed, $0, [], own) }
            guard others.isThere.contains(true) else { return shown + listed }
            return shown + listed
                + set.queries.map { query(.otherSets, $0.picture, [], others) }
        }
    }

    /// Some distorted views of each entry that a set has, to be found in the set's catalog.
    static func views(
        _ count: Int, of entries: [CatalogEntry], _ duplicates: NearDuplicates, seed: UInt64,
        strength: Double, kind: Distortion.Kind?
    ) -> [PlannedQuery] {
        var rules: [String: AcceptRule] = [:]
        for name in Set(entries.flatMap(\.sets)) { rules[name] = .set(name, in: entries) }
        return entries.enumerated().flatMap { number, entry -> [PlannedQuery] in
            guard case .file(let path) = entry.source, let set = entry.sets.min(),
                let rule = rules[set]
            else { return [] }
            // What looks the same is an alternative, as rows of one query are.
            let alike = duplicates.direct(of: number).filter { entries[$0].sets.contains(set) }
            let targets = [[entry.id] + alike.map { entries[$0].id }]
            return (0..<count).map { view in
                PlannedQuery(
                    kind: .positive, set: set, picture: "\(entry.id).\(view + 1).jpg",
                    source: .view(
                        of: path,
                        Distortion(
                            seed: seed, number: number * Limits.distortionsMax + view,
                            strength: strength, kind: kind)), targets: targets, rule: rule)
            }
        }
    }

    /// A distorted view of the second volume of each series in a catalog, whose first one is there.
    static func ofSeries(
        in catalog: EvaluationCatalog, seed: UInt64, strength: Double
    ) -> [PlannedQuery] {
        let all = AcceptRule.all(catalog.entries)
        return (0..<catalog.build.series).map { number in
            PlannedQuery(
                kind: .series, set: "series", picture: "series/\(number) volume 2",
                source: .volume(
                    of: number, seed: seed,
                    Distortion(seed: seed, number: -1 - number, strength: strength)),
                rule: all)
        }
    }

    /// A distorted view of each of some distractors, which are taken out with their near-duplicates
    /// and what was generated from any of them.
    static func ofDistractors(
        _ numbers: [Int], in catalog: EvaluationCatalog, _ duplicates: NearDuplicates,
        seed: UInt64, strength: Double
    ) -> [PlannedQuery] {
        let all = AcceptRule.all(catalog.entries)
        var generated: [Int: [Int]] = [:]
        for (number, entry) in catalog.entries.enumerated() {
            guard case .generated(_, let material) = entry.source else { continue }
            for used in material { generated[used, default: []].append(number) }
        }
        return numbers.compactMap { number in
            guard case .file(let path) = catalog.entries[number].source else { return nil }
            let group = duplicates.group(of: number)
            var rule = all
            rule.removed = group.union(group.flatMap { generated[$0] ?? [] })
            return PlannedQuery(
                kind: .distorted, set: "distractors", picture: catalog.entries[number].id,
                source: .view(
                    of: path, Distortion(seed: seed, number: number, strength: strength)),
                rule: rule)
        }
    }
}
