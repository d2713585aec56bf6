import Journal
import Messages

/// Rounds in which contenders store the same changes, one after the other.
struct AppendRounds {
    /// Changes of one kind in groups of one size.
    struct Course: Hashable {
        let kind: RecordKind
        let groupSize: Int
        /// Groups that each contender stores in a round.
        let groups: Int
    }

    /// What one contender did on one course, a value a round.
    struct Result {
        var recordsPerSecond: [Double] = []
        /// Microseconds of processor time for one record.
        var processorMicroseconds: [Double] = []
    }

    let contenders: [any AppendContender]
    let courses: [Course]
    private(set) var results: [Course: [Result]] = [:]
    private var made = 0

    init(_ contenders: [any AppendContender], _ courses: [Course]) {
        self.contenders = contenders
        self.courses = courses
        for course in courses { results[course] = contenders.map { _ in Result() } }
    }

    /// Runs all courses; the order of the contenders changes from round to round.
    mutating func run(rounds: Int) throws {
        // The first use of each makes files, connections and account keys.
        for course in courses { _ = try measure(course, round: 0) }
        for round in 0..<rounds {
            for course in courses {
                for (index, result) in try measure(course, round: round) {
                    results[course]?[index].recordsPerSecond.append(result.rate)
                    results[course]?[index].processorMicroseconds.append(result.processor)
                }
            }
        }
    }

    private mutating func measure(
        _ course: Course, round: Int
    ) throws -> [Int: (rate: Double, processor: Double)] {
        let groups = try (0..<course.groups).map { _ in try samples(course) }
        let records = Double(course.groups * course.groupSize)
        var measured: [Int: (rate: Double, processor: Double)] = [:]
        for offset in contenders.indices {
            let index = (offset + round) % contenders.count
            let contender = contenders[index]
            try contender.prepare()
            let processor = contender.processorSeconds
            let seconds = try Clock.time { for group in groups { try contender.append(group) } }
            let taken = contender.processorSeconds - processor
            measured[index] = (records / seconds, taken / records * 1e6)
        }
        return measured
    }

    /// A group of changes that were never stored before, and the bytes that a journal makes of
    /// them.
    private mutating func samples(_ course: Course) throws -> [AppendSample] {
        let messages = (0..<course.groupSize).map { _ in
            made += 1
            return course.kind == .entityPut ? Samples.put(made) : Samples.calendarChange(made)
        }
        let entries = messages.map(\.journalEntry)
        let journal = MemoryJournal(epoch: 1)
        _ = try journal.append([Samples.calendarAccess().journalEntry] + entries)
        let records = try journal.read(
            after: 1, recordsMax: messages.count, bytesMax: .max)
        guard records.count == messages.count else {
            throw BenchError(.answer, "a change was refused")
        }
        return messages.indices.map { index in
            AppendSample(
                message: messages[index], entry: entries[index], stored: records[index].encoded())
        }
    }
}
