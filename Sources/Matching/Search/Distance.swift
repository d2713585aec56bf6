/// Evidence as one number: millionths, 0 to 2,000,000, falling as the evidence grows.
enum Distance {
    /// The default cut: a picture up to here is accepted.
    static let cut = 1_000_000
    /// Evidence at the cut, in agreeing places; calibrated so that strangers stay beyond it.
    static let evidenceMin = 11.0
    /// Share of a picture that a plane must cover to count in full: a sticker or a logo that two
    /// pictures share covers less than 0.05, a photographed cover more than 0.08.
    static let coverageFull = 0.1
    /// Pairs that agree on a similarity without which there is nothing in common.
    static let votersMin = 2

    /// The distance of a picture whose plane has this support; nil if that is not enough.
    static func withPlane(_ support: Support) -> Int? {
        let coverage = min(1, support.coverage / coverageFull)
        let evidence = Double(support.places) * coverage * coverage
        guard evidence >= evidenceMin else { return nil }
        return max(
            1, Int(Double(cut) * evidenceMin / evidence * (1 - 0.9 * min(1, support.share))))
    }

    /// The distance of a picture with only a similarity that some pairs agree on.
    static func withoutPlane(voters: Int) -> Int {
        cut + cut / max(1, voters)
    }
}
