import Evaluation
import Messages
import Raster
import Testing

struct CurveTests {
    private static let queries =
        [
            Answers.positive("p1", [["a"]], [("a", 100_000)]),
            Answers.positive("p2", [["b"]], [("b", 600_000)]),
            Answers.positive("p3", [["c"]], [("x", 10), ("c", 200_000)]),
            Answers.positive("p4", [["d"]], [("d", 1_200_000)]),
        ]
        + (0..<10).map { Answers.stranger(.otherSets, "s\($0)", 1_000_000 + $0 * 50_000) }
        + (10..<20).map { Answers.stranger(.distorted, "s\($0)", nil) }

    @Test func rowsCountWhatIsWithinTheCut() {
        let rows = Curve(Self.queries).rows
        #expect(rows.count == 41)
        #expect(rows[0] == Curve.Row(distance: 0, accepted: 0, falseAccepts: 0))
        #expect(rows[2] == Curve.Row(distance: 100_000, accepted: 0.25, falseAccepts: 0))
        #expect(rows[20] == Curve.Row(distance: 1_000_000, accepted: 0.5, falseAccepts: 0.05))
        #expect(rows[40] == Curve.Row(distance: 2_000_000, accepted: 0.75, falseAccepts: 0.5))
    }

    @Test func aCutIsChosenOnOneHalfAndReportedOnTheOther() {
        let strangers = Self.queries.filter(\.kind.isStranger)
        let fitting = strangers.filter(Curve.isFitting)
        let curve = Curve(Self.queries)
        let none = curve.choice(falseAccepts: 0)
        let nearest = fitting.compactMap { $0.answer.matches.first?.distance }.min() ?? 0
        #expect(none.distance == nearest - 1)
        #expect(none.fitting == Curve.Counted(queries: fitting.count, accepted: 0))
        #expect(none.reporting.queries == 20 - fitting.count)
        let others = strangers.filter { !Curve.isFitting($0) }
        #expect(
            none.reporting.accepted
                == others.filter { $0.isFalseAccept(within: nearest - 1) }.count)
        let all = curve.choice(falseAccepts: 1)
        #expect(all.distance == Limits.distanceMax)
        #expect(all.accepted == 0.75)
    }

    @Test func halvesAreAboutEqualAndNeverChange() {
        let strangers = (0..<1_000).map { Answers.stranger(.listed, "picture-\($0).jpg", nil) }
        let share = strangers.filter(Curve.isFitting).count
        #expect(430...570 ~= share)
        #expect(
            strangers.prefix(8).map(Curve.isFitting)
                == Array(strangers.prefix(8)).map(Curve.isFitting))
    }

    @Test func theChartIsAPictureThatCanBeReadBack() throws {
        let picture = Chart(Curve(Self.queries), title: "made by hand", cut: 1_000_000).picture()
        let read = try Picture.decode(
            .encoded(try picture.png()), maxSide: 2_000, limits: Fixtures.limits)
        #expect(read == picture)
        func has(_ color: [UInt8]) -> Bool {
            stride(from: 0, to: read.rgb.count, by: 3).contains {
                Array(read.rgb[$0..<($0 + 3)]) == color
            }
        }
        #expect(has([20, 90, 200]), "the line of what is accepted")
        #expect(has([210, 50, 30]), "the line of false accepts")
    }
}

struct FailureTests {
    @Test func eachKindOfFailureIsNamed() {
        let queries = [
            Answers.positive("good", [["a"]], [("a", 5)]),
            Answers.positive("far", [["a"]], [("a", 1_000_001)]),
            Answers.positive("wrong", [["a"]], [("b", 400_000), ("a", 500_000)]),
            Answers.positive("none", [["a"]], []),
            Answers.stranger(.listed, "well", 1_500_000),
            Answers.stranger(.distorted, "bad", 900_000),
        ]
        let failures = Failure.all(in: queries, cut: 1_000_000)
        #expect(failures.map(\.picture) == ["far", "wrong", "none", "bad"])
        #expect(failures.map(\.kind) == [.refused, .missed, .missed, .falseAccept])
        #expect(failures[1].found == QueryAnswer.Match(id: "b", distance: 400_000))
        #expect(failures[1].wantedDistance == 500_000)
        #expect(failures[3].wanted == nil)
    }

    @Test func theSheetShowsEachPicture() throws {
        let failures = Failure.all(
            in: [Answers.positive("q", [["a"]], []), Answers.stranger(.listed, "s", 3)],
            cut: 1_000_000)
        let red = Bitmap(
            width: 30, height: 20, rgb: (0..<600).flatMap { _ in [UInt8](arrayLiteral: 255, 0, 9) })
        let sheet = ContactSheet.picture(
            failures.map { ContactSheet.Row($0, query: red, wanted: nil, found: red) }, total: 5)
        let read = try Picture.decode(
            .encoded(try sheet.png()), maxSide: 5_000, limits: Fixtures.limits)
        #expect(read == sheet)
        let count = stride(from: 0, to: sheet.rgb.count, by: 3).filter {
            sheet.rgb[$0] == 255 && sheet.rgb[$0 + 1] == 0 && sheet.rgb[$0 + 2] == 9
        }.count
        #expect(count == 4 * 600)
    }
}
