/// Evidence as one number: millionths, 0 to 2,000,000, falling as the evidence grows.
package enum Distance {
    /// The default cut: a picture up to here is accepted.
    static let cut = 1_000_000
    /// Evidence at the cut, in agreeing places; calibrated so that strangers stay beyond it.
    static let evidenceMin = 11.0
    /// Share of a picture that a plane must cover to count in full: a sticker or a logo that two
    /// pictures share covered less than 0.05, a photographed cover 0.076 at least.
    static let coverageFull = 0.08
    /// Pairs that agree on a similarity without which there is nothing in common.
    static let votersMin = 2

    /// The distance of a picture with a plane that `places` features at different places agree
    /// on, which are `share` of the smaller print (0...1) and span `coverage` of a picture (0...1);
    /// nil if that is not enough.
    package static func withPlane(places: Int, share: Double, coverage: Double) -> Int? {
        let part = min(1, coverage / coverageFull)
        let evidence = Double(places) * part * part
        guard evidence >= evidenceMin else { return nil }
        return max(1, Int(Double(cut) * evidenceMin / evidence * (1 - 0.9 * min(1, share))))
    }

    /// The distance of a picture with only a similarity that some pairs agree on.
    package static func withoutPlane(voters: Int) -> Int {
        cut + cut / max(1, voters)
    }
}
