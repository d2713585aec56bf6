import Calendar
import TestSupport
import Testing

/// An address book is held by the same mechanism as a calendar.
struct ContactHoldingTests {
    private func card(_ uid: String, _ name: String) -> [UInt8] {
        Array("BEGIN:VCARD\r\nVERSION:4.0\r\nUID:\(uid)\r\nFN:\(name)\r\nEND:VCARD\r\n".utf8)
    }

    private func apply(
        _ update: CollectionUpdate, to held: inout HeldCollection
    ) -> CollectionUpdateOutcome {
        held.apply(update, rules: ContactRules.self, bytesMax: 1_000)
    }

    @Test func oneBadCardCostsTheOthersNothingAndTheTokenStays() {
        var held = HeldCollection()
        _ = apply(CollectionUpdate(revision: 1, syncToken: "t1", put: [card("a", "A")]), to: &held)
        let old = Array("BEGIN:VCARD\r\nVERSION:2.1\r\nN:x\r\nEND:VCARD\r\n".utf8)
        let outcome = apply(
            CollectionUpdate(
                revision: 2, syncToken: "t2",
                put: [card("b", "B") + old + card("c", "C"), Array("nothing".utf8)]),
            to: &held)
        #expect(outcome.put == ["b", "c"])
        #expect(outcome.refused.map(\.place) == [0, 1])
        #expect(outcome.refused.map(\.error.code) == [.versionUnsupported, .notACard])
        #expect(held.resources.keys.sorted() == ["a", "b", "c"])
        #expect(held.syncToken == "t1")
    }

    @Test func aResetDropsEverythingOnceItIsComplete() {
        var held = HeldCollection()
        _ = apply(
            CollectionUpdate(revision: 1, put: [card("a", "A"), card("b", "B")]), to: &held)
        _ = apply(
            CollectionUpdate(revision: 2, isReset: true, isComplete: false, put: [card("c", "C")]),
            to: &held)
        #expect(held.resources.keys.sorted() == ["a", "b", "c"])
        _ = apply(CollectionUpdate(revision: 2, isReset: true, put: [card("b", "B2")]), to: &held)
        #expect(held.resources.keys.sorted() == ["b", "c"])
        _ = apply(CollectionUpdate(revision: 1, put: [card("a", "A")]), to: &held)
        #expect(held.resources.keys.sorted() == ["b", "c"])
    }

    @Test func aFullCollectionTakesWhatReplacesAnEntry() {
        var held = HeldCollection()
        func put(_ revision: Int, _ uids: String...) -> CollectionUpdateOutcome {
            held.apply(
                CollectionUpdate(revision: revision, put: uids.map { card($0, "\(revision)") }),
                rules: ContactRules.self, bytesMax: 1_000, entriesMax: 2)
        }
        let first = put(1, "a", "b", "c")
        #expect(first.put == ["a", "b"])
        #expect(first.refused.map(\.error.code) == [.tooLarge])
        let second = put(2, "b")
        #expect(second.put == ["b"] && second.refused.isEmpty)
    }

    @Test(arguments: 0..<200)
    func whateverOrderChangesComeInTheSameIsHeld(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var updates = (1...20).map { revision -> CollectionUpdate in
            var update = CollectionUpdate(revision: revision)
            update.isReset = Int.random(in: 0..<8, using: &random) == 0
            for uid in ["a", "b", "c", "d"] {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: update.put.append(card(uid, "\(uid)\(revision)"))
                case 1: update.removed.append(uid)
                default: break
                }
            }
            return update
        }
        var expected = HeldCollection()
        for update in updates { _ = apply(update, to: &expected) }
        updates += updates.filter { _ in Bool.random(using: &random) }
        updates.shuffle(using: &random)
        var held = HeldCollection()
        for update in updates { _ = apply(update, to: &held) }
        #expect(held.resources == expected.resources)
        #expect(held.removals == expected.removals)
        #expect(held.revision == expected.revision)
    }
}
