/// How well a plane is supported, as numbers.
package struct PlaneSupport: Sendable {
    /// Features that lie on the plane.
    package var pairs: Int
    /// Those that agree in turn and scale, at different places.
    package var places: Int
    /// Share of the smaller print's features that agree, 0...1.
    package var share: Double
    /// How far they spread over the catalog picture, 0...
    package var extent: Double
    /// The same in extents of all its features that the query may show, 0...
    package var reach = 1.0
    /// Share of the large features that agree, 0...1.
    package var large = 1.0
    /// Share of the pairs that led to the plane which lie on it, 0...1.
    package var united = 1.0

    package init(
        pairs: Int, places: Int, share: Double, extent: Double, reach: Double = 1,
        large: Double = 1, united: Double = 1
    ) {
        self.pairs = pairs
        self.places = places
        self.share = share
        self.extent = extent
        self.reach = reach
        self.large = large
        self.united = united
    }
}

/// Evidence as one number: millionths, 0 to 2,000,000, falling as the evidence grows.
package enum Distance {
    /// The default cut: a picture up to here is accepted.
    package static let cut = 1_000_000
    /// Evidence at the cut, in agreeing places; calibrated so that strangers stay beyond it.
    static let evidenceMin = 12.8
    /// Extent from which a plane counts in full. Two pictures that share a band, a series' logo or a
    /// title in the same letters agree in a strip or a spot. A larger one keeps more of them out, and
    /// more photographs.
    static let extentFull = 0.3
    /// Share of the features from which it counts in full whatever its extent: a cover whose only
    /// content is a small logo.
    static let shareFull = 0.4
    /// Reach from which that holds: of a cover with other content than the logo it does not.
    static let reachFull = 0.4
    /// Share of the large features from which a plane counts in full. Covers of one design agree in
    /// their lettering and ornaments, which are many small features, and in little else; a blurred or
    /// dim photograph loses small features first.
    static let largeFull = 0.05
    /// Share of the pairs from which the plane that lies through them counts in full: among many pairs
    /// some lie on a plane by chance.
    static let unitedFull = 0.28
    /// Pairs that agree on a similarity without which there is nothing in common.
    static let votersMin = 2
    /// What such a pair is worth, in places of a plane.
    private static let voterWorth = 0.125

    /// The distance of a picture with a plane that so many pairs led to: up to the cut if that
    /// suffices, beyond it by what is lacking if not.
    package static func withPlane(_ support: PlaneSupport, voters: Int) -> Int {
        let evidence = evidence(of: support)
        guard evidence >= evidenceMin else {
            return beyondCut(max(evidence, Double(voters) * voterWorth))
        }
        return max(
            1, Int(Double(cut) * evidenceMin / evidence * (1 - 0.95 * min(1, support.share))))
    }

    /// The distance of a picture with only a similarity that some pairs agree on: beyond the cut.
    package static func withoutPlane(voters: Int) -> Int {
        beyondCut(Double(voters) * voterWorth)
    }

    /// The distance of evidence that does not suffice: half of what does lies at 1.5.
    private static func beyondCut(_ evidence: Double) -> Int {
        cut + max(1, Int(Double(cut) * (1 - evidence / evidenceMin)))
    }

    /// What a plane's support is worth, in places.
    private static func evidence(of support: PlaneSupport) -> Double {
        let share = min(1, support.share)
        let part = support.share / shareFull
        let weight = min(
            1,
            support.extent / extentFull + part * part * min(1, support.reach / reachFull))
        // Pairs that crowd at few places are lettering, or edges that are met at several scales, and
        // pairs that are turned otherwise lie there by chance: what strangers have in common. A picture
        // that is alike in most of its features may crowd.
        let crowd = 1 - Double(support.places) / Double(max(1, support.pairs))
        let ease = 1 - crowd * (1 - share)
        let large = min(1, support.large / largeFull)
        let united = min(1, support.united / unitedFull)
        // What a large share of the features agree on needs fewer of them.
        return Double(support.places) * weight * weight * (1 + share * share) * ease * ease
            * large * large * united * united
    }

    /// The distance of a picture of a query's shape that is as much alike as a whole; nil if that says
    /// nothing.
    package static func withLikeness(_ likeness: Double) -> Int? {
        let share = (1 - likeness) / (1 - WholePicture.likenessMin)
        let distance = Double(cut) * share * share
        return distance < Double(2 * cut) ? max(1, Int(distance)) : nil
    }
}
