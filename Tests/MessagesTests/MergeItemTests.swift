import Bytes
import Messages
import TestSupport
import Testing

/// The item list of a worker's results.
@Suite(.timeLimit(.minutes(1)))
struct MergeItemTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func itemsComeBackAsTheyWere(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let items = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
            MergeItem(
                sortKey: random.bytes(Int.random(in: 0..<50, using: &random)),
                unionKey: random.bytes(Int.random(in: 0..<50, using: &random)),
                parentKey: random.bytes(Int.random(in: 0..<50, using: &random)),
                json: random.bytes(Int.random(in: 0..<99, using: &random)),
                attachments: (0..<Int.random(in: 0..<3, using: &random)).compactMap { _ in
                    ContentHash(bytes: random.bytes(32))
                })
        }
        let (list, body) = MergeItem.encode(items)
        #expect(try MergeItem.decode(list: list[...], body: SharedBytes(body)) == items)
    }

    @Test func everyCutOfAListIsRefused() throws {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 7, count: 32)))
        let item = MergeItem(
            sortKey: [1, 2], unionKey: [3], parentKey: [4], json: Array("{}".utf8),
            attachments: [hash])
        let (list, body) = MergeItem.encode([item])
        for count in 1..<list.count {
            let error = #expect(throws: WireError.self) {
                try MergeItem.decode(list: list.prefix(count), body: SharedBytes(body))
            }
            #expect(error?.code == .badItems)
        }
    }

    @Test func moreItemsThanTheLimitAreRefused() throws {
        let item = MergeItem(sortKey: [1], unionKey: [1], json: [])
        let most = [MergeItem](repeating: item, count: Limits.resultsMax)
        let (list, body) = MergeItem.encode(most)
        #expect(
            try MergeItem.decode(list: list[...], body: SharedBytes(body)).count
                == Limits.resultsMax)
        let error = #expect(throws: WireError.self) {
            let (list, body) = MergeItem.encode(most + [item])
            return try MergeItem.decode(list: list[...], body: SharedBytes(body))
        }
        #expect(error?.code == .badItems)
    }
}
