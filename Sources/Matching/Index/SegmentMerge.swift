/// Segments that are to become one, as they stood when the merge was planned.
public struct SegmentMerge: Sendable {
    let sources: [PrintCollection.Segment]
    let keeper: (any SegmentKeeper)?
    /// Pictures between two questions whether to stop.
    private static let questionInterval = 256

    /// What a merge made.
    public struct Result: Sendable {
        let sources: [PrintSegment]
        let merged: PrintSegment
        /// Of each slot of the merged segment the source and the slot there.
        let origins: [(source: Int, slot: Int)]

        /// The names of prints that a keeper keeps now and none kept before.
        public var newlyKept: [PrintName] {
            guard !merged.isInMemory else { return [] }
            let names = merged.names
            return origins.indices.filter { sources[origins[$0].source].isInMemory }
                .map { names[$0] }
        }
    }

    /// Makes one segment of what is there in the sources; takes its time, and may run beside
    /// searches and changes.
    ///
    /// - Returns: nil if a picture cannot be read, or if told to stop.
    public func run(shouldStop: () -> Bool = { false }) -> Result? {
        if let writer = keeper?.writer(), let result = run(writer, shouldStop) { return result }
        return shouldStop() ? nil : run(MemorySegment.Writer(), shouldStop)
    }

    private func run(_ writer: any SegmentWriter, _ shouldStop: () -> Bool) -> Result? {
        var builder = SegmentBuilder(writer)
        var owners: [PrintSegment.Owner] = []
        var origins: [(source: Int, slot: Int)] = []
        var counts = WordCounts()
        // Of each source's slots the slot in the merged segment.
        var places: [[Int32]] = []
        for (number, source) in sources.enumerated() {
            places.append([Int32](repeating: -1, count: source.isThere.count))
            for slot in source.isThere.indices where source.isThere[slot] {
                if slot.isMultiple(of: Self.questionInterval), shouldStop() { return nil }
                guard builder.add(slot, of: source.prints) else { return nil }
                places[number][slot] = Int32(owners.count)
                owners.append(source.prints.slots[slot].owner)
                origins.append((number, slot))
            }
            source.prints.count(source.isThere, in: &counts)
        }
        let bytes = builder.finish(featuresOf: counts) { postings in
            for (source, places) in zip(sources, places) {
                source.prints.withPostings { postings.append($0, to: places) }
            }
        }
        guard let bytes, let merged = PrintSegment(bytes, owners: owners) else { return nil }
        return Result(sources: sources.map(\.prints), merged: merged, origins: origins)
    }
}

extension PrintCollection {
    /// Segments of one size that are merged to one of the next.
    private static let mergedCount = 8
    /// Pictures of a segment from which it stands on the next level.
    private static let levels = [0, 2_048, 16_384]

    /// Segments that wait to be merged: the more of them, the longer a search takes.
    public var unmergedSegments: Int {
        segments.count { $0.isThere.count < Self.levels[1] }
    }

    /// What is to be merged next: segments of one level, if there are enough, or one of which most
    /// is gone; nil if nothing is.
    public var pendingMerge: SegmentMerge? {
        for (least, most) in zip(Self.levels, Self.levels.dropFirst()) {
            let alike = segments.filter { least..<most ~= $0.isThere.count }
            guard alike.count >= Self.mergedCount else { continue }
            return SegmentMerge(sources: Self.fitting(alike), keeper: keeper)
        }
        return segments.first { $0.pictures * 2 < $0.isThere.count }.map {
            SegmentMerge(sources: [$0], keeper: keeper)
        }
    }

    /// The first segments that fit one.
    private static func fitting(_ segments: [Segment]) -> [Segment] {
        var total = 0
        return Array(
            segments.prefix { segment in
                total += segment.pictures
                return total <= PrintSegment.picturesMax
            })
    }

    /// Puts what a merge made in place of its sources; what was taken out meanwhile stays out.
    ///
    /// - Returns: Whether anything changed: not if a source is not here any more.
    @discardableResult
    public mutating func adopt(_ result: SegmentMerge.Result?) -> Bool {
        guard let result else { return false }
        let places = result.sources.map { source in
            segments.firstIndex { $0.prints === source }
        }
        guard !places.contains(nil) else { return false }
        let isThere = result.origins.map { origin in
            places[origin.source].map { segments[$0].isThere[origin.slot] } ?? false
        }
        segments.removeAll { segment in result.sources.contains { $0 === segment.prints } }
        let segment = Segment(result.merged, isThere: isThere)
        if segment.pictures > 0 { segments.append(segment) }
        return true
    }
}
