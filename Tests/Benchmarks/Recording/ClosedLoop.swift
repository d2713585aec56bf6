import Messages

/// Sends requests with a window of them in flight, as fast as answers come.
struct ClosedLoop {
    let client: WireClient
    let window: Int

    /// Sends all and waits for all.
    ///
    /// - Throws: `BenchError` if one is not answered with a complete FINAL.
    func run(_ requests: [Message]) throws {
        var sent = 0
        var done = 0
        while done < requests.count {
            while sent < requests.count, sent - done < window {
                var request = requests[sent]
                request.header.requestID = client.nextID()
                try client.send(request)
                sent += 1
            }
            guard let answer = try client.receive(milliseconds: 60_000) else {
                throw BenchError(.answer, "\(requests.count - done) requests are not answered")
            }
            guard answer.command == .final, answer.header.flags.contains(.complete) else {
                throw BenchError(.answer, answer.errorLine)
            }
            done += 1
        }
    }
}
