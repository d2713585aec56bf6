/// One measurement of one system: what a load client saw, and what it cost.
struct LoadResult {
    var requestsPerSecond = 0.0
    /// Microseconds.
    var p50 = 0.0
    var p99 = 0.0
    /// Processor time of the broker, and of broker, workers and client, in microseconds for each
    /// request.
    var brokerMicroseconds = 0.0
    var allMicroseconds = 0.0
    /// Requests that the system refused or did not answer.
    var failed = 0.0
}

/// What a load gave: seconds of each request that was sent.
struct LoadSample {
    /// Seconds from the (intended) sending to the answer; for what has none, until the end.
    var latencies: [Double] = []
    var failed = 0
    var seconds = 0.0
    var answered: Int { latencies.count - failed }
}

/// Runs a load against a connection and keeps every latency.
struct LoadRun {
    let connection: any LoadConnection
    private static let silenceSeconds = 10.0
    /// Silence behind the last request of an open loop after which the rest counts as lost: a
    /// system that is asked for more than it can do may drop answers.
    private static let lostSeconds = 1.0
    private static let waitNanoseconds = 100_000_000

    /// Always so many requests outstanding, for so many seconds.
    func closed(window: Int, seconds: Double) throws -> LoadSample {
        var sentAt: [Double] = []
        sentAt.reserveCapacity(1 << 16)
        var sample = LoadSample()
        sample.latencies.reserveCapacity(1 << 16)
        let first = connection.nextNumber
        defer { connection.nextNumber = first + UInt64(sentAt.count) }
        let start = Clock.seconds()
        let end = start + seconds
        for number in 0..<window {
            sentAt.append(Clock.seconds())
            try sendSurely(first + UInt64(number))
        }
        var heardAt = start
        while sample.latencies.count < sentAt.count {
            guard let answer = try connection.take() else {
                connection.wait(nanoseconds: Self.waitNanoseconds)
                guard Clock.seconds() < heardAt + Self.silenceSeconds else {
                    throw BenchError(
                        .answer, "\(sample.latencies.count) of \(sentAt.count) answers")
                }
                continue
            }
            guard case .done(let number) = answer else {
                throw BenchError(.answer, "a request of \(window) is refused")
            }
            // One that an earlier run had given up.
            guard number >= first else { continue }
            heardAt = Clock.seconds()
            sample.latencies.append(heardAt - sentAt[Int(number - first)])
            guard heardAt < end else { continue }
            sentAt.append(heardAt)
            try sendSurely(first + UInt64(sentAt.count - 1))
        }
        sample.seconds = heardAt - start
        return sample
    }

    /// In a closed loop there is room for all that are outstanding.
    private func sendSurely(_ number: UInt64) throws {
        guard try connection.send(number) else {
            throw BenchError(.answer, "request \(number) is not taken")
        }
    }

    /// So many requests, always so many of them outstanding; nothing is kept of them.
    func counted(window: Int, count: Int) throws {
        let first = connection.nextNumber
        defer { connection.nextNumber = first + UInt64(count) }
        var (sent, heard) = (0, 0)
        var heardAt = Clock.seconds()
        while heard < count {
            while sent < count, sent - heard < window {
                try sendSurely(first + UInt64(sent))
                sent += 1
            }
            guard let answer = try connection.take() else {
                connection.wait(nanoseconds: Self.waitNanoseconds)
                guard Clock.seconds() < heardAt + Self.silenceSeconds else {
                    throw BenchError(.answer, "\(heard) of \(count) answers")
                }
                continue
            }
            guard case .done = answer else { throw BenchError(.answer, "a request is refused") }
            heardAt = Clock.seconds()
            heard += 1
        }
    }

    /// So many requests a second at fixed instants; latency counts from these, whether or not the
    /// client was held up.
    func open(rate: Double, seconds: Double) throws -> LoadSample {
        let count = max(1, Int(rate * seconds))
        var answeredAt = [Double](repeating: .infinity, count: count)
        let first = connection.nextNumber
        defer { connection.nextNumber = first + UInt64(count) }
        let start = Clock.seconds() + 0.001
        func intended(_ number: Int) -> Double { start + Double(number) / rate }
        var (sent, heard, failed) = (0, 0, 0)
        var heardAt = start
        while heard < count {
            let now = Clock.seconds()
            while sent < count, intended(sent) <= now,
                try connection.send(first + UInt64(sent))
            { sent += 1 }
            var hasHeard = false
            while let answer = try connection.take() {
                guard answer.number >= first else { continue }
                heardAt = Clock.seconds()
                hasHeard = true
                heard += 1
                switch answer {
                case .done(let number): answeredAt[Int(number - first)] = heardAt
                case .refused: failed += 1
                }
            }
            guard !hasHeard else { continue }
            guard now < max(heardAt, start + seconds) + Self.lostSeconds else { break }
            // At least so long, where there was no room: answers make it.
            let next = sent < count ? max(intended(sent), now + 0.000_01) : now + 0.001
            connection.wait(nanoseconds: Int((next - Clock.seconds()) * 1e9))
        }
        // What has no answer has waited until now, at least.
        let end = Clock.seconds()
        let latencies = answeredAt.enumerated().map { min($1, end) - intended($0) }
        return LoadSample(
            latencies: latencies, failed: failed + count - heard, seconds: heardAt - start)
    }
}
