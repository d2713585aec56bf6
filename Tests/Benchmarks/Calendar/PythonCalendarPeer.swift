import Foundation

/// icalendar and recurring-ical-events in a Python process of its own.
final class PythonCalendarPeer {
    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()

    /// Starts the peer with a Python that has the packages of `requirements.txt` beside this file.
    init(python: String) throws {
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", Self.script]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
        Started.add(process.processIdentifier)
    }

    /// Processor milliseconds of parsing a file and expanding it, and the number of occurrences;
    /// seconds, UTC.
    func count(
        _ path: String, from: Int64, to: Int64
    ) throws -> (milliseconds: Double, count: Int) {
        let request = "\(from) \(to) \(path)\n"
        try requests.fileHandleForWriting.write(contentsOf: Data(request.utf8))
        var line: [UInt8] = []
        while let byte = try answers.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
            line.append(byte)
        }
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, let time = Double(parts[0]), let count = Int(parts[1]) else {
            throw BenchError(
                .answer, "the peer answered '\(String(decoding: line, as: UTF8.self))'")
        }
        return (time, count)
    }

    deinit {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private static let script = """
        import sys, time, datetime, icalendar, recurring_ical_events
        for line in sys.stdin:
            begin, end, path = line.rstrip("\\n").split(" ", 2)
            text = open(path, "rb").read()
            start = time.process_time()
            calendar = icalendar.Calendar.from_ical(text)
            window = [datetime.datetime.fromtimestamp(int(t), datetime.timezone.utc)
                      for t in (begin, end)]
            count = len(recurring_ical_events.of(calendar).between(*window))
            print((time.process_time() - start) * 1000, count, flush=True)
        """
}
