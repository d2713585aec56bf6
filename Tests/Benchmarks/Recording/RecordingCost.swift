import Foundation
import Messages

/// The same requests to a server that records and to one that does not, in turns.
final class RecordingCost {
    /// Requests of one kind.
    struct Course {
        let name: String
        let requests: [Message]
        /// Microseconds of processor time for one request, a value a round.
        var plain: [Double] = []
        var recording: [Double] = []
        /// Requests a second.
        var plainRate: [Double] = []
        var recordingRate: [Double] = []
    }

    private var courses: [Course]
    private let servers: [(process: ChildProcess, loop: ClosedLoop)]
    private static let settleMicroseconds: UInt32 = 60_000

    /// Starts both servers, each with the catalog in a folder of its own.
    init(folder: String, catalog: SearchedCatalog, courses: [Course]) throws {
        self.courses = courses
        servers = try ["plain", "recording"].map { name in
            let data = "\(folder)/\(name)"
            let port = try LoopbackAddress.freePorts(3)
            let process = try ChildProcess(
                Programs.sightline,
                ["serve", "--listen", "127.0.0.1:\(port)", "--data", data]
                    + (name == "recording" ? ["--record", "\(folder)/recorded"] : []),
                name: name, folder: folder)
            try process.waitForPort(port)
            let client = try WireClient(port: port)
            let position = try catalog.fill(through: client)
            var ready = Message.lookup([0], budgetMilliseconds: 30_000)
            ready.fields.leastPosition = position
            ready.header.requestID = client.nextID()
            _ = try client.success(of: ready)
            return (process, ClosedLoop(client: client, window: 16))
        }
    }

    deinit { for server in servers { server.process.end() } }

    func run(rounds: Int) throws {
        for index in courses.indices { _ = try measureBoth(index, round: 0) }
        for round in 0..<rounds {
            for index in courses.indices {
                let measured = try measureBoth(index, round: round)
                courses[index].plain.append(measured[0].processor)
                courses[index].recording.append(measured[1].processor)
                courses[index].plainRate.append(measured[0].rate)
                courses[index].recordingRate.append(measured[1].rate)
            }
        }
    }

    private func measureBoth(
        _ course: Int, round: Int
    ) throws -> [(processor: Double, rate: Double)] {
        var measured = [(processor: 0.0, rate: 0.0), (processor: 0.0, rate: 0.0)]
        for which in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
            measured[which] = try measure(servers[which], courses[course].requests)
        }
        return measured
    }

    private func measure(
        _ server: (process: ChildProcess, loop: ClosedLoop), _ requests: [Message]
    ) throws -> (processor: Double, rate: Double) {
        try server.loop.client.greet()
        let before = server.process.processorSeconds
        let seconds = try Clock.time { try server.loop.run(requests) }
        // What is recorded beside the replies counts too, on both sides for as long.
        usleep(Self.settleMicroseconds)
        let taken = server.process.processorSeconds - before
        return (taken / Double(requests.count) * 1e6, Double(requests.count) / seconds)
    }

    var table: MarkdownTable {
        var table = MarkdownTable(
            "requests", "CPU µs a request", "while recording", "ratio (quartiles)", "bar",
            "requests/s", "while recording")
        for course in courses {
            table.add(
                course.name, Figure.of(Measures.median(course.plain), digits: 0),
                Figure.of(Measures.median(course.recording), digits: 0),
                Figure.ofRatios(Measures.ratios(course.recording, course.plain)), "≤ 1.05",
                Figure.of(Measures.median(course.plainRate), digits: 0),
                Figure.of(Measures.median(course.recordingRate), digits: 0))
        }
        return table
    }
}
