import Messages
import Service
import Testing

struct InstantTextTests {
    @Test(arguments: [
        ("2026-12-05T19:00:00Z", 1_796_497_200_000), ("1969-12-31T23:59:59.5Z", -500),
        ("2026-12-05T20:00:00+01:00", 1_796_497_200_000),
    ])
    func instantsAreRead(_ text: String, _ expected: Int64) {
        #expect(InstantText.parse(text) == Timestamp(milliseconds: expected))
    }

    @Test(arguments: ["2026-12-05", "2026-02-30T00:00:00Z", "19:00", "tomorrow", ""])
    func otherTextIsNone(_ text: String) {
        #expect(InstantText.parse(text) == nil)
    }

    @Test func writingAndReadingGiveTheSameInstant() {
        for milliseconds: Int64 in [0, 1, -1, 1_796_497_200_123] {
            let instant = Timestamp(milliseconds: milliseconds)
            #expect(InstantText.parse(InstantText.format(instant)) == instant)
        }
    }
}
