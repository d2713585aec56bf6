import Messages

/// Appends with sync, beside SQLite in the process and beside NATS and Redis over sockets.
enum JournalBench: Benchmark {
    static let name = "journal"
    static let summary = "appends with sync beside SQLite, NATS JetStream and Redis streams"
    static let options = ["rounds", "part"]

    static func run(_ options: BenchOptions) throws {
        let rounds = try options.count("rounds", default: 21)
        print("### Appends with sync\n\n\(rounds) interleaved rounds; \(Machine.line).\n")
        let part = options["part"]
        guard [nil, "backends", "services"].contains(part) else {
            throw BenchError(.usage, "--part is backends or services")
        }
        if part != "services" { try backends(rounds, in: options["folder"]) }
        if part != "backends" { try services(rounds, in: options["folder"]) }
    }

    private static func backends(_ rounds: Int, in parent: String?) throws {
        let folder = try Started.makeFolder(in: parent)
        defer { Started.remove(folder) }
        var race = AppendRounds(
            [try SegmentContender(folder: folder), try SQLiteContender(folder: folder)],
            courses(groups: [(1, 100), (16, 50), (256, 16)]))
        try race.run(rounds: rounds)
        print("In the process, the journal's backend and SQLite (WAL, `synchronous=FULL`):\n")
        print(table(of: race, rival: 1).text + "\n")
    }

    private static func services(_ rounds: Int, in parent: String?) throws {
        let folder = try Started.makeFolder(in: parent)
        defer { Started.remove(folder) }
        var race = AppendRounds(
            [
                try JournalContender(folder: folder), try NATSContender(folder: folder),
                try RedisContender(folder: folder),
            ],
            courses(groups: [(1, 48), (16, 12), (256, 3)]))
        try race.run(rounds: rounds)
        for rival in [1, 2] {
            let name = race.contenders[rival].name
            print("Over a socket, a whole group in flight, the journal role and \(name):\n")
            print(table(of: race, rival: rival).text + "\n")
        }
    }

    private static func courses(
        groups: [(size: Int, count: Int)]
    ) -> [AppendRounds.Course] {
        [RecordKind.entityPut, .calendarChange].flatMap { kind in
            groups.map { AppendRounds.Course(kind: kind, groupSize: $0.size, groups: $0.count) }
        }
    }

    private static func table(of race: AppendRounds, rival: Int) -> MarkdownTable {
        let name = race.contenders[rival].name
        var table = MarkdownTable(
            "record", "group", "Sightline/s", "\(name)/s", "ratio (quartiles)", "bar",
            "CPU µs a record", "CPU µs \(name)")
        for course in race.courses {
            guard let results = race.results[course] else { continue }
            let (own, other) = (results[0], results[rival])
            table.add(
                "`\(course.kind.rawValue)`", "\(course.groupSize)",
                Figure.of(Measures.median(own.recordsPerSecond), digits: 0),
                Figure.of(Measures.median(other.recordsPerSecond), digits: 0),
                Figure.ofRatios(
                    Measures.ratios(own.recordsPerSecond, other.recordsPerSecond)), "≥ 1.0",
                Figure.of(Measures.median(own.processorMicroseconds)),
                Figure.of(Measures.median(other.processorMicroseconds)))
        }
        return table
    }
}
