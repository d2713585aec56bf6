import Messages
import Queue
import Testing

/// A worker on a table.
struct WorkerBench {
    var worker: Worker
    var clock: UInt64 = 10_000
    var started: [Job] = []
    var cancelled: [JobID] = []
    var reconnected: [Int] = []
    var facts: [WorkerFact] = []
    var isStopped = false

    init(credit: UInt32 = 4, concurrency: Int = 1, routers: Int = 1, isReady: Bool = true) {
        let configuration = WorkerConfiguration(
            identity: Identity(high: 2, low: 2), incarnation: 3, name: "w",
            offers: [search("a")], credit: credit, concurrency: concurrency)
        worker = Worker(configuration, routers: routers)
        _ = handle(.tick)
        if isReady {
            _ = handle(.position(Position(epoch: 1, sequence: 10), isReady: true))
            for link in 0..<routers { _ = welcome(link) }
        }
    }

    var now: Now {
        Now(
            monotonic: MonotonicTime(nanoseconds: clock * 1_000_000),
            wall: Timestamp(milliseconds: 0))
    }

    mutating func handle(_ event: WorkerEvent) -> [(message: Message, link: Int)] {
        var actions: [WorkerAction] = []
        worker.handle(event, at: now, into: &actions)
        var sent: [(message: Message, link: Int)] = []
        for action in actions {
            switch action {
            case .send(let message, let link): sent.append((message, link))
            case .start(let job): started.append(job)
            case .cancel(let id): cancelled.append(id)
            case .reconnect(let link): reconnected.append(link)
            case .fact(let fact): facts.append(fact)
            case .stopped: isStopped = true
            }
        }
        return sent
    }
    mutating func receive(_ message: Message, _ link: Int = 0) -> [Message] {
        handle(.message(message, link: link)).map(\.message)
    }
    mutating func welcome(_ link: Int = 0, incarnation: UInt64 = 1) -> [Message] {
        var message = Message.hello(UInt8(50 + link), incarnation: incarnation)
        message.header.command = .welcome
        return receive(message, link)
    }
    mutating func pass(_ milliseconds: UInt64, pings: Bool = true) -> [Message] {
        let end = clock + milliseconds
        var sent: [Message] = []
        while clock < end {
            clock = min(end, clock + 10)
            if pings, clock % 100 == 0 { sent += receive(Message(Header(.pong))) }
            sent += handle(.tick).map(\.message)
        }
        return sent
    }
}

@Suite struct WorkerTests {
    @Test func aWorkerSaysWhoItIsAndWhatItOffers() throws {
        var bench = WorkerBench(isReady: false)
        let hello = try #require(bench.pass(300).first { $0.command == .hello })
        #expect(hello.fields.identity == Identity(high: 2, low: 2))
        #expect(hello.fields.integer(.incarnation, as: UInt64.self) == 3)
        #expect(hello.fields.offers == [search("a")])
    }

    @Test func noCreditIsGrantedBeforeTheReplicaIsReady() {
        var bench = WorkerBench(isReady: false)
        #expect(!bench.welcome().contains { $0.command == .ready })
        let position = Position(epoch: 1, sequence: 3)
        #expect(bench.handle(.position(position, isReady: false)).isEmpty)
        let ready = bench.handle(.position(position, isReady: true)).map(\.message)
        #expect(ready.map(\.command) == [.ready])
        #expect(ready.first?.fields.integer(.credit, as: UInt32.self) == 4)
        #expect(ready.first?.fields.position == position)
    }

    @Test func creditIsSplitOverTheRouters() {
        var bench = WorkerBench(credit: 5, routers: 3, isReady: false)
        _ = bench.handle(.position(Position(epoch: 1, sequence: 1), isReady: true))
        let shares = (0..<3).map { link in
            bench.welcome(link).compactMap { $0.fields.integer(.credit, as: UInt32.self) }
        }
        #expect(shares == [[2], [2], [1]])
    }

    @Test func creditIsSaidAgainWithEachPing() {
        var bench = WorkerBench()
        let pings = bench.pass(450).filter { $0.command == .ping }
        #expect(pings.count >= 2)
        #expect(pings.allSatisfy { $0.fields.integer(.credit, as: UInt32.self) == 4 })
    }

    @Test func aRequestBecomesAJobAndItsResultAFinal() throws {
        var bench = WorkerBench()
        _ = bench.receive(.request(1, budget: 300))
        let job = try #require(bench.started.first)
        #expect(job.deadline == MonotonicTime(nanoseconds: (bench.clock + 300) * 1_000_000))
        let output = JobOutput(
            items: [item([1], [1], "{}")], attachments: [(hash(1), [7])],
            position: Position(epoch: 1, sequence: 10), printVersion: "v1")
        let partial = bench.handle(.partial(job.id, output)).map(\.message)
        #expect(partial.map(\.command) == [.partial])
        let final = try #require(bench.handle(.finished(job.id, .final(output))).first?.message)
        #expect(final.command == .final)
        #expect(final.header.requestID == RequestID(high: 1, low: 1))
        #expect(final.fields.attachmentHashes == [hash(1)])
        #expect(final.fields.position?.sequence == 10)
        #expect(final.fields.text(.printVersion) == "v1")
        let items = try MergeItem.decode(
            list: final.fields.slice(.items) ?? [], body: final.sharedBody)
        #expect(items.map(\.json) == [Array("{}".utf8)])
    }

    @Test func anAnswerThatFitsIntoNoMessageIsSaidToBeTooLarge() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        let large = String(repeating: "x", count: Limits.frameBytesMax)
        let output = JobOutput(items: [item([1], [1], "\"\(large)\"")])
        let sent = bench.handle(.finished(bench.started[0].id, .final(output)))
        #expect(sent.map(\.message.errorCode) == [.tooLarge])
    }

    @Test func moreThumbnailsThanAMessageHasFramesAreLeftOut() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        let attachments = (0..<300 as Range<UInt64>).map { (hash($0), [UInt8(1)]) }
        let output = JobOutput(items: [], attachments: attachments)
        let sent = bench.handle(.finished(bench.started[0].id, .final(output)))
        #expect(sent.first?.message.attachments.count == Limits.framesMax - 3)
        #expect(sent.first?.message.fields.attachmentHashes.count == Limits.framesMax - 3)
    }

    @Test func aFailureCarriesCodeTextAndBody() throws {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        let result = JobResult.failed(.accessRequired, "no access", body: [1, 2])
        let error = try #require(
            bench.handle(.finished(bench.started[0].id, result)).first?.message)
        #expect(error.errorCode == .accessRequired)
        #expect(error.body == [1, 2])
    }

    @Test func onlySoManyJobsRunAtATime() {
        var bench = WorkerBench(credit: 4, concurrency: 2)
        for id in UInt64(1)...4 { _ = bench.receive(.request(id)) }
        #expect(bench.started.count == 2)
        _ = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        #expect(bench.started.count == 3)
        #expect(bench.worker.runningCount == 2)
    }

    @Test func beyondTheCreditRequestsAreHandedBack() {
        var bench = WorkerBench(credit: 2)
        for id in UInt64(1)...2 { _ = bench.receive(.request(id)) }
        let sent = bench.receive(.request(3))
        #expect(sent.map(\.errorCode) == [.handedBack])
    }

    @Test func aRequestThatComesTwiceRunsOnce() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        _ = bench.receive(.request(1))
        _ = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        _ = bench.receive(.request(1))
        #expect(bench.started.count == 1)
    }

    @Test func aJobWhoseTimeIsOverNeverStarts() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1, budget: 5_000))
        _ = bench.receive(.request(2, budget: 50))
        let sent = bench.pass(60)
        #expect(sent.compactMap(\.errorCode) == [.deadlineExceeded])
        _ = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        #expect(bench.started.count == 1)
    }

    @Test func aRunningJobIsStoppedAtItsDeadline() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1, budget: 50))
        _ = bench.pass(50)
        #expect(bench.cancelled == [bench.started[0].id])
        let sent = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        #expect(sent.map(\.message.errorCode) == [.deadlineExceeded])
    }

    @Test func aReplicaThatIsBuiltAnewAnswersNothing() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        _ = bench.receive(.request(2))
        let sent = bench.handle(.position(Position(epoch: 2, sequence: 0), isReady: false))
        #expect(sent.compactMap(\.message.errorCode) == [.handedBack])
        #expect(sent.last?.message.fields.integer(.credit, as: UInt32.self) == 0)
        // What is on its way comes back, too; what runs began with the whole catalog.
        #expect(bench.receive(.request(3)).map(\.errorCode) == [.handedBack])
        #expect(bench.started.map(\.request.header.requestID.low) == [1])
        #expect(bench.cancelled.isEmpty)
    }

    @Test func routersHearOfANewPositionNotTooOften() {
        var bench = WorkerBench()
        bench.clock += 20
        func told(_ sequence: UInt64) -> [UInt64] {
            bench.handle(.position(Position(epoch: 1, sequence: sequence), isReady: true))
                .compactMap { $0.message.fields.position?.sequence }
        }
        #expect(told(11) == [11])
        #expect(told(12) == [])
        bench.clock += 20
        #expect(told(13) == [13])
    }

    @Test func everyRouterHearsOfAnEndedAccount() {
        var bench = WorkerBench(routers: 2)
        let sent = bench.handle(.accountsEnded(["ada"]))
        #expect(sent.map(\.link) == [0, 1])
        #expect(sent.allSatisfy { $0.message.fields.text(.account) == "ada" })
    }

    @Test func aRequestWaitsForThePositionItDemands() {
        var bench = WorkerBench()
        var message = Message.request(1)
        message.fields.leastPosition = Position(epoch: 1, sequence: 12)
        _ = bench.receive(message)
        _ = bench.receive(.request(2))
        #expect(bench.started.map(\.request.header.requestID.low) == [2])
        _ = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        _ = bench.handle(.position(Position(epoch: 1, sequence: 11), isReady: true))
        #expect(bench.started.count == 1)
        _ = bench.handle(.position(Position(epoch: 1, sequence: 12), isReady: true))
        #expect(bench.started.map(\.request.header.requestID.low) == [2, 1])
    }

    @Test func aPositionThatDoesNotComeIsSaidShortlyBeforeTheDeadline() {
        var bench = WorkerBench()
        var message = Message.request(1, budget: 100)
        message.fields.leastPosition = Position(epoch: 1, sequence: 99)
        _ = bench.receive(message)
        #expect(bench.pass(80).compactMap(\.errorCode).isEmpty)
        #expect(bench.pass(19).compactMap(\.errorCode) == [.positionNotReached])
    }

    @Test func aPositionOfAnotherEpochIsRefusedAtOnce() {
        var bench = WorkerBench()
        var message = Message.request(1)
        message.fields.leastPosition = Position(epoch: 2, sequence: 1)
        #expect(bench.receive(message).map(\.errorCode) == [.epochChanged])
    }

    @Test func cancelStopsAJobAndIsAnsweredWhenItHasStopped() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        _ = bench.receive(.request(2))
        func cancel(_ id: UInt64) -> Message {
            Message(Header(.cancel, requestID: RequestID(high: 1, low: id)))
        }
        #expect(bench.receive(cancel(2)).map(\.errorCode) == [.cancelled])
        #expect(bench.receive(cancel(1)).isEmpty)
        #expect(bench.cancelled == [bench.started[0].id])
        let sent = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        #expect(sent.map(\.message.errorCode) == [.cancelled])
        #expect(bench.receive(cancel(77)).map(\.errorCode) == [.cancelled])
        #expect(bench.started.count == 1)
    }

    @Test func drainHandsBackWhatHasNotBegunAndFinishesTheRest() {
        var bench = WorkerBench()
        for id in UInt64(1)...3 { _ = bench.receive(.request(id)) }
        let sent = bench.handle(.drain).map(\.message)
        #expect(sent.map(\.command) == [.draining, .error, .error])
        #expect(sent.compactMap(\.errorCode) == [.handedBack, .handedBack])
        #expect(bench.receive(.request(4)).map(\.errorCode) == [.handedBack])
        #expect(!bench.isStopped)
        let last = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        #expect(last.map(\.message.command) == [.final, .bye])
        #expect(bench.isStopped)
        #expect(bench.worker.nextWake == nil)
    }

    @Test func cancelIsHonouredWhileDraining() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        _ = bench.handle(.drain)
        _ = bench.receive(Message(Header(.cancel, requestID: RequestID(high: 1, low: 1))))
        #expect(bench.cancelled.count == 1)
        #expect(!bench.isStopped)
    }

    @Test func aSilentRouterIsReachedAnew() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1, budget: 60_000))
        let sent = bench.pass(700, pings: false)
        #expect(bench.reconnected == [0])
        #expect(sent.last { $0.command == .hello } != nil)
        #expect(bench.cancelled.count == 1)
        let late = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        #expect(late.isEmpty)
        #expect(bench.welcome().map(\.command) == [.ready])
    }

    @Test func aRouterThatForgotTheWorkerIsGreetedAgain() {
        var bench = WorkerBench()
        let sent = bench.receive(.error(.wrongState, "HELLO comes first"))
        #expect(sent.map(\.command) == [.hello])
        #expect(bench.receive(.error(.wrongState, "HELLO comes first")).isEmpty)
        #expect(bench.welcome(incarnation: 2).map(\.command) == [.ready])
    }

    @Test func aReplacedWorkerStops() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        var bye = Message(Header(.bye))
        bye.fields.set(.errorCode, text: ErrorCode.replaced.rawValue)
        #expect(bench.receive(bye).isEmpty)
        #expect(bench.isStopped)
        #expect(bench.cancelled.count == 1)
    }

    @Test func pingIsAnsweredWithPong() {
        var bench = WorkerBench()
        #expect(bench.receive(Message(Header(.ping))).map(\.command) == [.pong])
    }
}
