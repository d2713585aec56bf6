/// Evidence as one number: millionths, 0 to 2,000,000, falling as the evidence grows.
enum Distance {
    /// The default cut: a picture up to here is accepted.
    static let cut = 1_000_000
    /// Agreeing places at which a plane over the whole picture lies at the cut; calibrated so that
    /// strangers stay beyond it.
    static let placesMin = 9.0
    /// Pairs that agree on a similarity without which there is nothing in common.
    static let votersMin = 2

    /// The distance of a picture whose plane has this support; nil if that is not enough.
    static func withPlane(_ support: Support) -> Int? {
        let evidence = Double(support.places)
        guard evidence >= placesMin else { return nil }
        return max(1, Int(Double(cut) * placesMin / evidence * (1 - 0.9 * min(1, support.share))))
    }

    /// The distance of a picture with only a similarity that some pairs agree on.
    static func withoutPlane(voters: Int) -> Int {
        cut + cut / max(1, voters)
    }
}
