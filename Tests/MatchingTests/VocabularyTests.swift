import Matching
import Testing

@Suite(.timeLimit(.minutes(5)))
struct VocabularyTests {
    @Test func shippedVocabularyHasTheStoredBits() {
        var random = Sequence64(state: 8)
        let rows = rows(200, &random)
        let words = Vocabulary.shipped.words(of: rows)
        let bytes = words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(
            hexadecimal(SHA256.digest(of: bytes))
                == "e57dcfb87515277e2105dab208339d96ae807ebefb12b42e12706bbb5323298f")
    }

    @Test func wordsOfADescriptorAreDifferent() {
        var random = Sequence64(state: 9)
        let words = Vocabulary.shipped.words(of: rows(100, &random))
        let each = Vocabulary.wordsPerDescriptor
        #expect(words.count == 100 * each)
        for start in stride(from: 0, to: words.count, by: each) {
            #expect(Set(words[start..<start + each]).count == each)
        }
    }

    @Test func firstWordIsTheNearestSumOfCentres() {
        // Centres of the first stage: i / 4 * 2 at value 0. Of the second: i - 128 at value 1.
        var values = [Int8](repeating: 0, count: 2 * 256 * Descriptor.length)
        for index in 0..<256 {
            values[index * Descriptor.length] = Int8(index / 4 * 2)
            values[(256 + index) * Descriptor.length + 1] = Int8(index - 128)
        }
        var row = [UInt8](repeating: 0, count: Descriptor.length)
        row[0] = 40
        row[1] = 25
        let words = Vocabulary(values: values).words(of: row)
        // Centres 80 to 83 are equally near: the first one first.
        #expect(words[0] == 80 * 256 + 128 + 25)
        #expect(words[1] == 81 * 256 + 128 + 25)
    }

    @Test func sameDescriptorsGiveTheSameVocabulary() {
        var random = Sequence64(state: 10)
        let rows = rows(600, &random)
        let values = VocabularyTraining.values(from: rows)
        #expect(values == VocabularyTraining.values(from: rows))
        #expect(values.count == 2 * 256 * Descriptor.length)
    }

    /// Descriptors in range, most of their values small.
    private func rows(_ count: Int, _ random: inout Sequence64) -> [UInt8] {
        (0..<count * Descriptor.length).map { _ in UInt8(random.next(below: 24)) }
    }
}
