import Messages
import Queue

/// A detached request that a router has accepted.
struct AcceptedJob {
    let client: Int
    let router: Int
    /// Of the router, when it accepted.
    let generation: Int
    let id: RequestID
    let question: UInt64
    let limit: Int
    let isDurable: Bool
    let key: String?
}

/// What a router has its folder of detached requests do.
enum JobFolderChange {
    case keep(DetachedRequest, write: UInt64)
    case forget(RequestID)
}

/// What routers have said about detached requests.
struct JobPromises {
    private(set) var accepted: [AcceptedJob] = []
    /// Ids that were answered with a result; they say the same from then on.
    private var results: [RequestID: [String]] = [:]
    /// Questions of jobs that are over, by router; what was not kept may be asked of the next
    /// generation again.
    private var over: [Int: [UInt64: (isKept: Bool, generation: Int)]] = [:]
    var finals = 0

    func job(_ id: RequestID) -> AcceptedJob? { accepted.last { $0.id == id } }

    /// A job that was submitted twice under a key has one id, unless the first was lost with its
    /// router, which had not promised to keep it.
    mutating func accept(_ job: AcceptedJob, _ checker: inout Checker, at now: UInt64) {
        if let key = job.key,
            let other = accepted.last(where: {
                $0.key == key && $0.router == job.router && $0.id != job.id
            }), other.isDurable || other.generation == job.generation
        {
            checker.fail("key \(key) has two jobs", at: now)
        }
        if !accepted.contains(where: { $0.id == job.id }) { accepted.append(job) }
    }

    mutating func ended(_ id: RequestID, _ router: Int) {
        guard let job = job(id) else { return }
        over[router, default: [:]][job.question] = (job.isDurable, job.generation)
    }

    func dispatched(
        _ message: Message, _ router: Int, generation: Int, _ checker: inout Checker,
        at now: UInt64
    ) {
        guard message.fields.text(.service) == SimulatedSearch.service else { return }
        let question = SimulatedSearch.question(of: message)
        guard let end = over[router]?[question], end.isKept || end.generation == generation
        else { return }
        checker.fail("question \(question) is computed again after it was over", at: now)
    }

    /// What `job.result` said. `generation` is the router's now.
    mutating func told(
        _ outcome: Outcome, _ id: RequestID, generation: Int, isCalm: Bool,
        _ checker: inout Checker, at now: UInt64
    ) {
        guard let job = job(id) else { return }
        switch outcome {
        case .final(let final):
            finals += 1
            let found = texts(ofBody: final.body)
            if let before = results[id], before != found {
                checker.fail("job \(id) has two results", at: now)
            }
            results[id] = found
            checker.checkJob(final, question: job.question, limit: job.limit, at: now)
        case .error(.notFound, _, _, _):
            // What its router did not promise to keep may go with it.
            if job.isDurable || job.generation == generation {
                checker.fail("accepted job \(id) is gone", at: now)
            }
        case .error(.jobUnfinished, _, _, _):
            if isCalm { checker.fail("job \(id) is unfinished at the end", at: now) }
        case .error(let code, let text, _, _):
            let mayBe: [ErrorCode] = [
                .workerFailed, .internalFault, .deadlineExceeded, .overloaded, .draining,
                .cancelled, .positionNotReached, .epochChanged,
            ]
            if !mayBe.contains(code) { checker.fail("job \(id): \(code) \(text)", at: now) }
        case .timedOut: if isCalm { checker.fail("job \(id) timed out", at: now) }
        case .ack: checker.fail("ACK to job \(id)", at: now)
        }
    }
}

extension Simulation {
    /// Submits a detached request, half of them under a key that is used again.
    func submitJob(_ client: Int) {
        let number = nextJob
        nextJob += 1
        var message = SimulatedSearch.request(
            question: 1_000_000 + number, limit: 1_000, budget: UInt32(300 + below(700)))
        message.header.flags.insert(.detached)
        message.fields.set(.fairnessKey, text: "jobs-\(client)")
        if happens(1, in: 2) { message.fields.set(.jobKey, text: "key-\(number)") }
        if happens(1, in: 4) { message.fields.set(.account, text: "ada") }
        submit(client, message, isCalm: false)
        // Again, as one does that does not know whether the first one arrived.
        if message.fields[.jobKey] != nil, happens(1, in: 2) {
            submit(client, message, isCalm: false)
        }
    }

    /// Asks for the result of a job that some router accepted for this client.
    func askForJob(_ client: Int) {
        let mine = jobs.accepted.filter { $0.client == client }
        guard !mine.isEmpty else { return }
        submitQuestion(client, mine[Int(below(UInt64(mine.count)))].id, isCalm: false)
    }

    func askForAllJobs(_ client: Int) {
        for job in jobs.accepted where job.client == client {
            submitQuestion(client, job.id, isCalm: true)
        }
    }

    private func submitQuestion(_ client: Int, _ id: RequestID, isCalm: Bool) {
        let budget = isCalm ? 1_900 : UInt32(1 + below(300))
        let waits = isCalm || happens(1, in: 2)
        var message = Message(
            Header(.request, budgetMilliseconds: budget, flags: waits ? .wait : []))
        message.fields.set(.service, text: "job.result")
        message.fields.job = id
        submit(client, message, isCalm: isCalm)
    }

    /// Takes the outcome of what is about detached requests; whether it was.
    func finishedJob(_ client: Int, _ expectation: Expectation, _ outcome: Outcome) -> Bool {
        let message = expectation.message
        let router = clients[client].router
        let generation = routers[router].generation
        if message.header.flags.contains(.detached) {
            guard case .final(let final) = outcome, let id = final.fields.job else { return true }
            let isDurable = String(decoding: final.body, as: UTF8.self)
                .contains("\"durable\":true")
            jobs.accept(
                AcceptedJob(
                    client: client, router: router, generation: generation, id: id,
                    question: SimulatedSearch.question(of: message), limit: 1_000,
                    isDurable: isDurable, key: message.fields.text(.jobKey)),
                &checker, at: now)
            return true
        }
        guard message.fields.text(.service) == "job.result", let id = message.fields.job else {
            return false
        }
        jobs.told(
            outcome, id, generation: generation, isCalm: expectation.isCalm, &checker, at: now)
        return true
    }

    // MARK: The router's side

    /// The folder takes one thing after the other, as the lane before a real one does.
    func changeJobFolder(_ change: JobFolderChange, router: Int) {
        let start = max(now, routers[router].folderIsBusyUntil)
        let end = start + below(12) * Self.millisecond
        routers[router].folderIsBusyUntil = end
        events.insert(
            .jobFolder(router, generation: routers[router].generation, change), at: end)
    }

    /// What a crash finds still under way did not happen.
    func jobFolderChanged(_ router: Int, _ generation: Int, _ change: JobFolderChange) {
        guard routers[router].isUp, routers[router].generation == generation else { return }
        let event = SimulatedEvent.jobFolder(router, generation: generation, change)
        guard !isPaused(.router(router), event) else { return }
        switch change {
        case .keep(let job, let write):
            routers[router].disk[job.id] = job
            step(router: router, .jobKept(job.id, write: write, failure: nil))
        case .forget(let id): routers[router].disk[id] = nil
        }
    }

    func checkJobs(_ router: Int, _ actions: [RouterAction]) {
        for case .fact(.jobOver(let id, _)) in actions { jobs.ended(id, router) }
        let machine = routers[router].machine
        if machine.jobsOfOneMax > Self.jobsPerClientMax {
            checker.fail("\(machine.jobsOfOneMax) jobs of one client", at: now)
        }
        if machine.jobResultBytes > Self.jobResultsBytesMax {
            checker.fail("\(machine.jobResultBytes) bytes of results", at: now)
        }
    }

    static let jobsPerClientMax = 8
    static let jobsMax = 30
    static let jobResultsBytesMax = 128 << 10
}
