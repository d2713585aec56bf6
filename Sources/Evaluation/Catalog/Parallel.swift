import Locking

/// Work on all cores.
enum Parallel {
    /// The values of indices 0 to `count - 1`, in order; `progress` hears how many are done.
    static func map<Value: Sendable>(
        _ count: Int, cores: Int, progress: @escaping @Sendable (Int) -> Void = { _ in },
        _ value: @escaping @Sendable (Int) throws -> Value
    ) async throws -> [Value] {
        let next = Locked(0)
        let done = Locked(0)
        return try await withThrowingTaskGroup(of: [(Int, Value)].self) { group in
            for _ in 0..<max(1, min(cores, count)) {
                group.addTask {
                    var own: [(Int, Value)] = []
                    while true {
                        let index = next.withLock { number in
                            number += 1
                            return number - 1
                        }
                        guard index < count, !Task.isCancelled else { return own }
                        own.append((index, try value(index)))
                        progress(
                            done.withLock { number in
                                number += 1
                                return number
                            })
                    }
                }
            }
            var values = [Value?](repeating: nil, count: count)
            for try await part in group {
                for (index, value) in part { values[index] = value }
            }
            return values.compactMap { $0 }
        }
    }
}
