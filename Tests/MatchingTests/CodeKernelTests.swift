import Matching
import Testing

/// The kernels give the same numbers as each other and as the plain definition.
struct CodeKernelTests {
    private static let length = 16

    @Test(arguments: [(1, 1), (1, 2), (3, 16), (4, 17), (7, 100), (500, 500)])
    func kernelsAgree(queries: Int, codes: Int) {
        var random = Sequence64(state: UInt64(queries * 1_000 + codes))
        let (query, catalog) = (self.codes(queries, &random), self.codes(codes, &random))
        let portable = NearestCode.all(of: query, in: catalog, kernel: .portable)
        #expect(portable.count == queries)
        for kernel in CodeKernel.allCases {
            #expect(NearestCode.all(of: query, in: catalog, kernel: kernel) == portable)
        }
    }

    @Test(arguments: CodeKernel.allCases)
    func firstOfEqualCodesIsNearest(kernel: CodeKernel) {
        var random = Sequence64(state: 5)
        let code = codes(1, &random)
        let catalog = Array(repeatElement(code, count: 40).joined())
        #expect(
            NearestCode.all(of: code, in: catalog, kernel: kernel)
                == [NearestCode(index: 0, distance: 0, second: 0)])
        #expect(
            NearestCode.all(of: code, in: code, kernel: kernel)
                == [NearestCode(index: 0, distance: 0, second: 129)])
    }

    @Test(arguments: CodeKernel.allCases)
    func kernelFindsWhatTheDefinitionFinds(kernel: CodeKernel) {
        var random = Sequence64(state: 77)
        let (query, catalog) = (codes(9, &random), codes(50, &random))
        let found = NearestCode.all(of: query, in: catalog, kernel: kernel)
        for (index, nearest) in found.enumerated() {
            let distances = (0..<50).map { difference(query, index, catalog, $0) }
            let sorted = distances.sorted()
            #expect(nearest.distance == sorted[0])
            #expect(nearest.second == sorted[1])
            #expect(distances.firstIndex(of: sorted[0]) == nearest.index)
        }
    }

    @Test func kernelsGiveTheSameWords() {
        var random = Sequence64(state: 11)
        let descriptors = (0..<40 * Descriptor.length).map { _ in UInt8(random.next(below: 32)) }
        let words = Vocabulary.shipped.words(of: descriptors, kernel: .portable)
        #expect(words.count == 40 * Vocabulary.wordsPerDescriptor)
        for kernel in CodeKernel.allCases {
            #expect(Vocabulary.shipped.words(of: descriptors, kernel: kernel) == words)
        }
    }

    @Test func nothingIsNearestAmongNone() {
        var random = Sequence64(state: 3)
        #expect(NearestCode.all(of: codes(3, &random), in: []).isEmpty)
    }

    private func difference(_ a: [UInt8], _ i: Int, _ b: [UInt8], _ j: Int) -> Int {
        (0..<Self.length).reduce(0) {
            $0 + (a[i * Self.length + $1] ^ b[j * Self.length + $1]).nonzeroBitCount
        }
    }

    private func codes(_ count: Int, _ random: inout Sequence64) -> [UInt8] {
        (0..<count * Self.length).map { _ in UInt8(random.next(below: 256)) }
    }
}
