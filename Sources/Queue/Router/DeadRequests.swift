internal import Messages

/// A request that workers died under, put aside for people to look at.
struct DeadRequest: Sendable {
    /// Counts from 1 in its router.
    let number: UInt64
    let request: Message
    let service: String
    let part: String
    let client: Identity
    let clientName: String
    /// The workers that died, in order.
    let workers: [String]
    let putAsideAt: Timestamp

    var byteCount: Int {
        request.byteCount + request.fields.entries.reduce(0) { $0 + $1.value.count }
    }
}

/// Requests put aside; oldest dropped first. They live as long as the router.
struct DeadRequests: Sendable {
    private(set) var all: [DeadRequest] = []
    private(set) var byteCount = 0
    private var lastNumber: UInt64 = 0
    private let countMax: Int
    private let bytesMax: Int

    init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }
    var count: Int { all.count }

    /// Keeps a request under the next number, which it returns.
    mutating func insert(_ make: (UInt64) -> DeadRequest) -> UInt64 {
        lastNumber += 1
        let request = make(lastNumber)
        all.append(request)
        byteCount += request.byteCount
        while let oldest = all.first, all.count > countMax || byteCount > bytesMax {
            byteCount -= oldest.byteCount
            all.removeFirst()
        }
        return lastNumber
    }

    func find(_ number: UInt64) -> DeadRequest? { all.first { $0.number == number } }

    /// Forgets one; false if it is not there.
    mutating func remove(_ number: UInt64) -> Bool {
        let before = all.count
        keep { $0.number != number }
        return all.count < before
    }
    /// Forgets everything that was asked for an account.
    mutating func remove(account: String) {
        keep { $0.request.fields.text(.account) != account }
    }
    mutating func removeAll() { keep { _ in false } }

    private mutating func keep(_ isWanted: (DeadRequest) -> Bool) {
        all = all.filter(isWanted)
        byteCount = all.reduce(0) { $0 + $1.byteCount }
    }
}
