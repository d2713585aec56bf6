/// One measurement of one system: what a load client saw, and what it cost.
struct LoadResult {
    var requestsPerSecond = 0.0
    /// Microseconds.
    var p50 = 0.0
    var p99 = 0.0
    /// Processor time of broker and workers, in microseconds for each request.
    var brokerMicroseconds = 0.0
    var allMicroseconds = 0.0
}

/// Runs a load against a connection and keeps every latency.
struct LoadRun {
    let connection: any LoadConnection
    private static let silenceSeconds = 10.0
    /// Silence behind the last request of an open loop after which the rest counts as lost: a
    /// system that is asked for more than it can do may drop answers.
    private static let lostSeconds = 1.0

    /// Always so many requests outstanding, for so many seconds.
    func closed(window: Int, seconds: Double) throws -> [Double] {
        var sentAt: [Double] = []
        var latencies: [Double] = []
        let end = Clock.seconds() + seconds
        func send() throws {
            sentAt.append(Clock.seconds())
            try connection.send(UInt64(sentAt.count - 1))
        }
        for _ in 0..<window { try send() }
        var heardAt = Clock.seconds()
        while latencies.count < sentAt.count {
            guard let number = try connection.take() else {
                connection.wait(milliseconds: 100)
                guard Clock.seconds() < heardAt + Self.silenceSeconds else {
                    throw BenchError(.answer, "\(latencies.count) of \(sentAt.count) answers")
                }
                continue
            }
            heardAt = Clock.seconds()
            latencies.append(heardAt - sentAt[Int(number)])
            if heardAt < end { try send() }
        }
        return latencies
    }

    /// So many requests a second at fixed instants; latency counts from these, whether or not the
    /// client was held up.
    func open(rate: Double, seconds: Double) throws -> [Double] {
        let count = max(1, Int(rate * seconds))
        var latencies: [Double] = []
        latencies.reserveCapacity(count)
        let start = Clock.seconds() + 0.001
        var sent = 0
        var heardAt = start
        while latencies.count < count {
            let now = Clock.seconds()
            while sent < count, start + Double(sent) / rate <= now {
                try connection.send(UInt64(sent))
                sent += 1
            }
            var hasHeard = false
            while let number = try connection.take() {
                heardAt = Clock.seconds()
                hasHeard = true
                latencies.append(heardAt - start - Double(number) / rate)
            }
            guard !hasHeard else { continue }
            guard now < max(heardAt, start + seconds) + Self.lostSeconds else {
                Machine.say("\(count - latencies.count) of \(count) requests have no answer")
                break
            }
            rest(until: sent < count ? start + Double(sent) / rate : now + 0.001)
        }
        return latencies
    }

    /// Waits for an answer, and no longer than until an instant; below a millisecond it only
    /// looks, since waiting has no finer unit.
    private func rest(until instant: Double) {
        let milliseconds = Int((instant - Clock.seconds()) * 1_000)
        connection.wait(milliseconds: max(0, milliseconds))
    }
}
