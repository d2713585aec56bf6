import CMatching

/// Which implementation compares codes; all give the same numbers.
package enum CodeKernel: Sendable, CaseIterable {
    /// Plain C, on every processor.
    case portable
    /// AVX2 and POPCNT where the processor has them, otherwise as portable.
    case avx2
    /// AVX-512 where the processor counts bits with it, otherwise as AVX2.
    case fast

    var functions: cm_codes {
        switch self {
        case .portable: cm_codes_portable().pointee
        case .avx2: cm_codes_avx2().pointee
        case .fast: cm_codes_fast().pointee
        }
    }
}

/// The nearest and the second-nearest code of a catalog picture to one query code.
package struct NearestCode: Sendable, Equatable {
    /// The nearest one's index; the lowest of several that are equally near.
    package let index: Int
    /// Bits in which it differs.
    package let distance: Int
    /// Bits in which the second-nearest one differs; 129 without a second one.
    package let second: Int

    package init(index: Int, distance: Int, second: Int) {
        self.index = index
        self.distance = distance
        self.second = second
    }

    /// The two nearest of `codes` for each code of `query`; empty if there are no codes.
    package static func all(
        of query: [UInt8], in codes: [UInt8], kernel: CodeKernel = .fast
    ) -> [NearestCode] {
        let count = query.count / DescriptorCode.length
        let total = codes.count / DescriptorCode.length
        guard count > 0, total > 0 else { return [] }
        let found = [cm_nearest_code](unsafeUninitializedCapacity: count) { buffer, filled in
            kernel.functions.nearest(
                query, Int32(count), codes, Int32(total), buffer.baseAddress)
            filled = count
        }
        return found.map {
            NearestCode(
                index: Int($0.index), distance: Int($0.best), second: Int($0.second))
        }
    }
}
