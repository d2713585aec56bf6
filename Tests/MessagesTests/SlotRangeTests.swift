import Messages
import Testing

@Suite struct SlotRangeTests {
    @Test func idsHaveTheSlotsOfTheSpecification() {
        #expect(SlotRange.slot(ofID: "") == 1)
        #expect(SlotRange.slot(ofID: "album-1") == 14)
        let slots = (0..<10_000).map { SlotRange.slot(ofID: "album-\($0)") }
        for slot in 0..<64 {
            let count = slots.count { $0 == slot }
            #expect((100...215).contains(count), "slot \(slot) has \(count) of 10,000")
        }
    }

    @Test func rangesAreReadAndWritten() throws {
        let range = try #require(SlotRange("0-31"))
        #expect(range.part == "slots=0-31")
        #expect(SlotRange(part: "slots=0-31") == range)
        #expect(SlotRange("7-7")?.count == 1)
        #expect(SlotRange.all.part == "slots=0-63")
        for text in ["", "5", "31-0", "0-64", "-1-5", "0-05", "0-5-6", " 0-5", "a-b"] {
            #expect(SlotRange(text) == nil, "\(text)")
        }
        for part in ["", "slots=", "0-31", "slots=0-64", "types=album"] {
            #expect(SlotRange(part: part) == nil, "\(part)")
        }
    }

    @Test func everyIDIsInOneRangeOfASplit() throws {
        let split = [SlotRange(0, 20), SlotRange(21, 21), SlotRange(22, 63)].compactMap(\.self)
        for number in 0..<1_000 {
            #expect(split.count { $0.contains(id: "\(number)") } == 1)
        }
    }

    @Test func gapsAreWhatNobodyHas() {
        func gaps(_ ranges: (Int, Int)...) -> [String] {
            SlotRange.gaps(between: ranges.compactMap { SlotRange($0.0, $0.1) }).map(\.part)
        }
        #expect(gaps() == ["slots=0-63"])
        #expect(gaps((0, 63)).isEmpty)
        #expect(gaps((32, 63), (0, 31)).isEmpty)
        #expect(gaps((0, 40), (10, 20), (39, 63)).isEmpty)
        #expect(gaps((5, 9), (11, 60)) == ["slots=0-4", "slots=10-10", "slots=61-63"])
        #expect(SlotRange.count(of: [SlotRange(0, 9), SlotRange(5, 14)].compactMap(\.self)) == 15)
    }
}
