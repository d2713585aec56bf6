import CMatching

/// Half of a descriptor's code: what is kept in memory of every feature of every picture.
///
/// Every other bit, alternately the even and the odd directions of neighbouring cells: among 60,000
/// pictures a shortlist by these 64 bits holds what one by all 128 holds (README), while any plain
/// half of the bits loses a tenth.
enum HalfCode {
    /// The half codes of codes of `DescriptorCode.length` bytes each.
    static func halves(of codes: [UInt8]) -> [UInt64] {
        codes.withUnsafeBufferPointer { codes in
            (0..<codes.count / DescriptorCode.length).map { index in
                cm_half_code(codes.baseAddress.map { $0 + index * DescriptorCode.length })
            }
        }
    }
}
