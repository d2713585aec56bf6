/// Evidence as one number: millionths, 0 to 2,000,000, falling as the evidence grows.
package enum Distance {
    /// The default cut: a picture up to here is accepted.
    static let cut = 1_000_000
    /// Evidence at the cut, in agreeing places; calibrated so that strangers stay beyond it.
    static let evidenceMin = 12.8
    /// Extent from which a plane counts in full. Two pictures that share a band, a series' logo or a
    /// title in the same letters agree in a strip or a spot. A larger one keeps more of them out, and
    /// more photographs.
    static let extentFull = 0.3
    /// Share of the features from which it counts in full whatever its extent: a cover whose only
    /// content is a small logo.
    static let shareFull = 0.4
    /// Pairs that agree on a similarity without which there is nothing in common.
    static let votersMin = 2

    /// The distance of a picture with a plane that `pairs` features lie on, which agree in turn and
    /// scale at `places` different places; they are `share` of the smaller print (0...1) and spread
    /// over `extent` of the catalog picture (0...); nil if that is not enough.
    package static func withPlane(
        places: Int, pairs: Int, share: Double, extent: Double
    ) -> Int? {
        let (spread, part) = (extent / extentFull, share / shareFull)
        let weight = min(1, spread + part * part)
        // Pairs that crowd at few places are lettering, or edges that are met at several scales, and
        // pairs that are turned otherwise lie there by chance: what strangers have in common. A picture
        // that is alike in most of its features may crowd.
        let crowd = 1 - Double(places) / Double(max(1, pairs))
        let ease = 1 - crowd * (1 - min(1, share))
        // What a large share of the features agree on needs fewer of them.
        let evidence =
            Double(places) * weight * weight * (1 + share * share) * ease * ease
        guard evidence >= evidenceMin else { return nil }
        return max(1, Int(Double(cut) * evidenceMin / evidence * (1 - 0.95 * min(1, share))))
    }

    /// The distance of a picture of a query's shape that is as much alike as a whole; nil if that says
    /// nothing.
    package static func withLikeness(_ likeness: Double) -> Int? {
        let share = (1 - likeness) / (1 - WholePicture.likenessMin)
        let distance = Double(cut) * share * share
        return distance < Double(2 * cut) ? max(1, Int(distance)) : nil
    }

    /// The distance of a picture with only a similarity that some pairs agree on.
    package static func withoutPlane(voters: Int) -> Int {
        cut + cut / max(1, voters)
    }
}
