import CMatching

/// The descriptors of one catalog picture in the order in which the kernel reads them.
package struct PackedDescriptors: Sendable {
    /// Which implementation compares; both give the same numbers.
    package enum Kernel: Sendable, CaseIterable {
        /// Plain C, on every processor.
        case portable
        /// AVX2 where the processor has it, otherwise as portable.
        case fast
    }

    /// The nearest and the second-nearest descriptor of one query descriptor.
    package struct Nearest: Sendable, Equatable {
        /// The nearest one's index; the lowest of several that are equally near.
        package let index: Int
        /// Squared distance to the nearest one.
        package let distance: Int
        /// Squared distance to the second-nearest one.
        package let second: Int

        package init(index: Int, distance: Int, second: Int) {
            self.index = index
            self.distance = distance
            self.second = second
        }
    }

    private let bytes: [UInt8]
    private let halves: [Int16]

    /// Packs rows of `Descriptor.length` bytes that are in range (`Descriptor.areInRange`).
    package init(_ rows: [UInt8]) {
        let lanes = Int(CM_LANES)
        let count = rows.count / Descriptor.length
        let blocks = (count + lanes - 1) / lanes
        var bytes = [UInt8](repeating: 0, count: blocks * lanes * Descriptor.length)
        var halves = [Int16](repeating: 16_384, count: blocks * lanes)
        for index in 0..<count {
            let row = index * Descriptor.length
            let start = index / lanes * lanes * Descriptor.length + index % lanes * 4
            for at in 0..<Descriptor.length {
                bytes[start + at / 4 * lanes * 4 + at % 4] = rows[row + at]
            }
            halves[index] = Int16(Descriptor.square(of: rows, at: index) / 2)
        }
        self.bytes = bytes
        self.halves = halves
    }

    /// The two nearest of each query descriptor; empty if there are no descriptors here.
    package func nearest(to query: QueryDescriptors, kernel: Kernel = .fast) -> [Nearest] {
        guard !halves.isEmpty, !query.squares.isEmpty else { return [] }
        let count = query.squares.count
        let found = [cm_nearest](unsafeUninitializedCapacity: count) { buffer, filled in
            let compare =
                kernel == .fast && cm_has_fast() ? cm_nearest_fast : cm_nearest_portable
            compare(
                query.rows, Int32(count), bytes, halves, Int32(halves.count / Int(CM_LANES)),
                buffer.baseAddress)
            filled = count
        }
        return zip(found, query.squares).map { found, square in
            Nearest(
                index: Int(found.index), distance: max(0, square - 2 * Int(found.best)),
                second: max(0, square - 2 * Int(found.second)))
        }
    }
}

/// The descriptors of a query, with their squares.
package struct QueryDescriptors: Sendable {
    let rows: [UInt8]
    let squares: [Int]

    /// Rows of `Descriptor.length` bytes that are in range (`Descriptor.areInRange`).
    package init(_ rows: [UInt8]) {
        self.rows = rows
        squares = (0..<rows.count / Descriptor.length).map { Descriptor.square(of: rows, at: $0) }
    }
}
