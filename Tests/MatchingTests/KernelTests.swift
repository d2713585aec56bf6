import Matching
import Testing

/// The two kernels give the same numbers as each other and as the plain definition.
struct KernelTests {
    @Test(arguments: [(1, 1), (1, 2), (3, 16), (4, 17), (5, 33), (7, 100), (500, 500)])
    func kernelsAgree(queries: Int, descriptors: Int) {
        var random = Sequence64(state: UInt64(queries * 1_000 + descriptors))
        let query = QueryDescriptors(rows(queries, &random))
        let packed = PackedDescriptors(rows(descriptors, &random))
        let portable = packed.nearest(to: query, kernel: .portable)
        #expect(portable.count == queries)
        #expect(packed.nearest(to: query, kernel: .fast) == portable)
    }

    @Test func kernelsAgreeOnEqualDescriptors() {
        var random = Sequence64(state: 5)
        let row = rows(1, &random)
        let packed = PackedDescriptors(Array(repeatElement(row, count: 40).joined()))
        for kernel in PackedDescriptors.Kernel.allCases {
            let found = packed.nearest(to: QueryDescriptors(row), kernel: kernel)
            #expect(found.map(\.index) == [0])
            #expect(found.allSatisfy { $0.distance == 0 && $0.second == 0 })
        }
    }

    @Test func kernelsAgreeAtTheLargestProducts() {
        // Squares of 32,761 and of 32,400 are the largest that a descriptor may have.
        var spread = [UInt8](repeating: 16, count: Descriptor.length)
        for index in 0..<7 { spread[index] = 8 }
        let peaks: [UInt8] = [127, 127] + [UInt8](repeating: 0, count: Descriptor.length - 2)
        let all = spread + peaks
        #expect(Descriptor.areInRange(all))
        let packed = PackedDescriptors(all)
        let query = QueryDescriptors(all)
        let portable = packed.nearest(to: query, kernel: .portable)
        #expect(portable == packed.nearest(to: query, kernel: .fast))
        #expect(portable.map(\.index) == [0, 1])
        #expect(portable.allSatisfy { $0.distance <= 1 })
    }

    @Test(arguments: PackedDescriptors.Kernel.allCases)
    func kernelFindsWhatTheDefinitionFinds(kernel: PackedDescriptors.Kernel) {
        var random = Sequence64(state: 77)
        let query = rows(9, &random)
        let catalog = rows(50, &random)
        let found = PackedDescriptors(catalog).nearest(
            to: QueryDescriptors(query), kernel: kernel)
        for (index, nearest) in found.enumerated() {
            let distances = (0..<50).map { squaredDistance(query, index, catalog, $0) }
            let sorted = distances.sorted()
            // Half a square is rounded down: a distance may be one off.
            #expect(abs(nearest.distance - sorted[0]) <= 1)
            #expect(abs(nearest.second - sorted[1]) <= 1)
            #expect(distances[nearest.index] <= sorted[0] + 1)
        }
    }

    @Test func nothingIsNearestAmongNone() {
        var random = Sequence64(state: 3)
        let query = QueryDescriptors(rows(3, &random))
        #expect(PackedDescriptors([]).nearest(to: query).isEmpty)
    }

    private func squaredDistance(_ a: [UInt8], _ i: Int, _ b: [UInt8], _ j: Int) -> Int {
        (0..<Descriptor.length).reduce(0) { sum, at in
            let difference = Int(a[i * Descriptor.length + at]) - Int(b[j * Descriptor.length + at])
            return sum + difference * difference
        }
    }

    /// Random descriptors in range: few large bytes or many small ones.
    private func rows(_ count: Int, _ random: inout Sequence64) -> [UInt8] {
        (0..<count).flatMap { _ in
            var row = [UInt8](repeating: 0, count: Descriptor.length)
            var square = 0
            let most = 20 + random.next(below: 108)
            for _ in 0..<300 {
                let at = random.next(below: Descriptor.length)
                let value = random.next(below: most)
                let next = square - Int(row[at]) * Int(row[at]) + value * value
                if next <= 32_761 {
                    row[at] = UInt8(value)
                    square = next
                }
            }
            return row
        }
    }
}
