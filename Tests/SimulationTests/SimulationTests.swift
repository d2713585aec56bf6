import Foundation
import Queue
import TestSupport
import Testing

/// The real machines under seeds of drop, delay, duplication, reordering, crash and pause.
@Suite struct SimulationTests {
    /// One thousand seeds, ten thousand in the soak tier; fewer without optimisation, where the
    /// same run takes ten times as long. `SIGHTLINE_SEEDS=FIRST-LAST` runs others, so that one
    /// command repeats what a seed has shown.
    static let seeds: ClosedRange<UInt64> = {
        let wanted = ProcessInfo.processInfo.environment["SIGHTLINE_SEEDS"] ?? ""
        let ends = wanted.split(separator: "-").compactMap { UInt64($0) }
        if let first = ends.first, let last = ends.last, first <= last { return first...last }
        #if DEBUG
            return 0...99
        #else
            return Soak.isOn ? 0...9_999 : 0...999
        #endif
    }()
    static let batches: [ClosedRange<UInt64>] = stride(
        from: seeds.lowerBound, through: seeds.upperBound, by: 50
    ).map { $0...min($0 + 49, seeds.upperBound) }

    @Test("T12: every promise holds whatever goes wrong", arguments: SimulationTests.batches)
    func everyPromiseHoldsWhateverGoesWrong(seeds: ClosedRange<UInt64>) {
        for seed in seeds {
            let violation = Simulation(seed: seed).run()
            #expect(violation == nil)
        }
    }

    @Test(arguments: SimulationTests.batches)
    func whoWaitsHasItsTurnWhateverOthersAskFor(seeds: ClosedRange<UInt64>) {
        for seed in seeds where seed % 5 == 0 || Soak.isOn {
            #expect(TurnSimulation(seed: seed).run() == nil)
        }
    }

    @Test(arguments: SimulationTests.batches)
    func whatWorkersSayOfAnotherTryHoldsForAllAttempts(seeds: ClosedRange<UInt64>) {
        for seed in seeds where seed % 5 == 0 || Soak.isOn {
            #expect(AttemptSimulation(seed: seed).run() == nil)
        }
    }

    @Test func aSeedAlwaysGivesTheSameRun() {
        for seed in [UInt64(3), 17, 101] {
            let first = Simulation(seed: seed)
            let second = Simulation(seed: seed)
            #expect(first.run() == nil)
            #expect(second.run() == nil)
            #expect(first.trace == second.trace)
            #expect(first.eventCount == second.eventCount)
        }
    }

    @Test func theRunsAreWorthSomething() {
        var (finals, completes, acks, results) = (0, 0, 0, 0)
        for seed in UInt64(0)..<20 {
            let simulation = Simulation(seed: seed)
            #expect(simulation.run() == nil)
            finals += simulation.checker.finals
            completes += simulation.checker.completes
            acks += simulation.checker.acks
            results += simulation.jobs.finals
        }
        #expect(completes > 20 * 20)
        #expect(finals > completes)
        #expect(acks > 20 * 12)
        #expect(results > 20 * 4)
    }

    @Test(arguments: PlantedBug.allCases)
    func everyPlantedBugIsCaught(bug: PlantedBug) {
        let symptom = symptom(of: bug)
        let caught = (UInt64(0)..<1_000).lazy.compactMap { seed -> String? in
            if bug.isAboutTurns { return TurnSimulation(seed: seed, planted: [bug]).run() }
            if bug == .otherAttemptForgetsPushBack {
                return AttemptSimulation(seed: seed, planted: [bug]).run()
            }
            return Simulation(seed: seed, planted: [bug]).run()
        }.first { $0.contains(symptom) }
        #expect(caught != nil, "\(bug) never shows as '\(symptom)' under 1,000 seeds")
    }

    /// What a bug must be caught by, so that it is not found by accident.
    private func symptom(of bug: PlantedBug) -> String {
        switch bug {
        case .lateResultIsSent, .duplicateBeginsAgain: "replies to"
        case .creditIsIgnored: "in flight, credit"
        case .creditLeaks: "credit that never came back"
        case .deadlineIsForgotten: "after its deadline"
        case .queueIsUnbounded: "wait for a part"
        case .lostWorkerKeepsRequests: "not empty at the end"
        case .acknowledgedTooEarly: "acknowledged by no journal"
        case .positionIsHighest: "of parts at"
        case .unionIsNotMade: ", not ["
        case .expiredIsDispatched: "is dispatched without time"
        case .probesAreRefused: "refused without a probe"
        case .everythingIsRepeated: "a second attempt of what must not be repeated"
        case .hedgesAreUnbounded: "hedges for"
        case .loserGoesOn: "that nobody waits for"
        case .deadRequestIsTriedAgain: "attempt 3"
        case .turnsAreByArrival: "turns while"
        case .prioritiesAreIgnored: "before a higher priority"
        case .deadlinesAreIgnored: "before an earlier deadline"
        case .queueMayStand: "stands since"
        case .thinnestGivesWay: "is shed, another has"
        case .drainingWorkerGetsWork: "gets work while it leaves"
        case .gapsAreNotSeen: ", not ["
        case .picturesArePassedOn: "a picture is decoded by"
        case .leastShareIsIgnored: "% answered, of"
        case .lagIsHeldAgainstOthers: "is given up though it lives"
        case .pushBackIsIgnored: "is tried again too early"
        case .otherAttemptForgetsPushBack: "is tried again too early"
        case .jobKeyIsIgnored: "has two jobs"
        case .jobIsAcceptedBeforeKept: "is gone"
        case .keptJobIsForgotten: "is gone"
        case .lostJobLooksUnfinished: "is unfinished at the end"
        case .jobsAreUnbounded: "jobs of one client"
        case .queueIsNotHandedBack: "keeps what it has not begun"
        case .expiredJobStarts: "an expired job starts"
        case .duplicateJobStarts: "a job starts twice"
        case .outcomeIsRepeated: "outcomes"
        case .helloIsSaidOnce: "calm ticket"
        case .recordsApplyAgain: "is applied behind"
        case .epochIsIgnored: "does not hold the journal's records"
        }
    }
}

extension PlantedBug {
    /// Shows where clients ask for more than a worker can do.
    var isAboutTurns: Bool {
        switch self {
        case .turnsAreByArrival, .prioritiesAreIgnored, .deadlinesAreIgnored, .queueMayStand,
            .thinnestGivesWay:
            true
        default: false
        }
    }
}
