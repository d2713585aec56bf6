import CMatching

/// One block for all planes of a picture: a block for each would be given back to the system and
/// cleared by it again for every picture, which cost a fifth of the extraction.
final class PlaneMemory {
    private let start: UnsafeMutablePointer<UInt16>
    private let capacity: Int
    private var used = 0

    /// Room for planes of 16-bit values, each of `planeValues` of its size.
    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// Values that a plane takes.
    static func planeValues(width: Int, height: Int) -> Int { width * height + Int(CM_SLACK) }

    /// Room for a plane; its values are anything.
    func plane(width: Int, height: Int) -> Plane<UInt16> {
        let count = Self.planeValues(width: width, height: height)
        precondition(used + count <= capacity, "planes that the memory was made for")
        defer { used += count }
        return Plane(width, height, at: start + used, in: self)
    }
}
