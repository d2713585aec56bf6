import Matching
import Testing

/// The AVX2 kernels and the portable ones give the same bits; where a processor has no AVX2 both
/// are the portable ones.
@Suite(.timeLimit(.minutes(5)))
struct ExtractionKernelTests {
    @Test(arguments: [
        (640, 480), (480, 640), (640, 17), (16, 640), (321, 33), (320, 320), (97, 211), (18, 18),
        (639, 25), (16, 16),
    ])
    func kernelsGiveTheSamePrint(width: Int, height: Int) throws {
        let picture = GeneratedPictures.noisy(
            GeneratedPictures.shapes(seed: 21, width: width, height: height), size: 9, seed: 5)
        let fast = try FeaturePrint(of: picture, kernels: .fast)
        #expect(try FeaturePrint(of: picture, kernels: .portable) == fast)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func printsMadeAtOnceAreThoseMadeOneByOne(seed: UInt64) async throws {
        let pictures = (0..<4).map { GeneratedPictures.shapes(seed: seed * 10 + $0) }
        let expected = try pictures.map { try FeaturePrint(of: $0) }
        try await withThrowingTaskGroup(of: (Int, FeaturePrint).self) { group in
            for (index, picture) in pictures.enumerated() {
                group.addTask { (index, try FeaturePrint(of: picture)) }
            }
            for try await (index, print) in group { #expect(print == expected[index]) }
        }
    }
}
