internal import Messages

/// What was counted of one service.
struct ServiceCounters: Sendable {
    let name: String
    var requests: UInt64 = 0
    var complete: UInt64 = 0
    var incomplete: UInt64 = 0
    /// Refused or shed because something was full.
    var overloaded: UInt64 = 0
    /// Of those, the ones that had waited already.
    var shed: UInt64 = 0
    /// Refused because the service needs more time than they had.
    var tooLate: UInt64 = 0
    var cancelled: UInt64 = 0
    /// Every other ERROR.
    var failed: UInt64 = 0
    var dispatched: UInt64 = 0
    var hedged: UInt64 = 0
    /// Hedges that answered first.
    var hedgesWon: UInt64 = 0
    var retried: UInt64 = 0
    var late: UInt64 = 0
    /// From arrival to the reply of requests that were admitted.
    var duration = DurationHistogram()
    /// From arrival in a queue to dispatch; 0 where a worker was free.
    var queueDelay = DurationHistogram()

    init(name: String) { self.name = name }

    mutating func count(_ code: ErrorCode) {
        switch code {
        case .overloaded: overloaded += 1
        case .cancelled: cancelled += 1
        default: failed += 1
        }
    }
}

/// The counters of all services that a router knows, a bounded number of them.
struct ServiceBoard: Sendable {
    /// The first one holds what belongs to none of the others.
    private(set) var all = [ServiceCounters(name: "")]
    private var places: [String: Int] = [:]
    private let countMax: Int

    init(countMax: Int) { self.countMax = countMax }

    /// The place of a service that workers offer or the router is itself; it gets one if it has
    /// none and there is room.
    mutating func place(of service: String) -> Int {
        if let place = places[service] { return place }
        guard places.count < countMax else { return 0 }
        places[service] = all.count
        all.append(ServiceCounters(name: service))
        return all.count - 1
    }

    subscript(_ place: Int) -> ServiceCounters {
        get { all[place] }
        _modify { yield &all[place] }
    }
}
