/// How requests are offered.
enum QueueLoad: Hashable {
    /// So many outstanding.
    case window(Int)
    /// At a fixed rate: so many hundredths of what the system itself did in this round with most
    /// outstanding. Each is then as busy as the others.
    case own(Int)
    /// At a fixed rate that is the same for all: so many hundredths of what the minimal broker
    /// did in this round.
    case common(Int)

    var text: String {
        switch self {
        case .window(let window): "closed loop, \(window) outstanding"
        case .own(let percent): "open loop at \(percent) % of each system's own maximum"
        case .common(let percent): "open loop at \(percent) % of minimal-c's maximum, for all"
        }
    }
}

/// What is measured.
struct QueuePlan {
    /// The system that the others are held against.
    static let base = "minimal-c"
    /// The system that is judged.
    static let own = "sightline"
    let sizes: [Int]
    /// Windows from the largest on, then open loops: these need the rates of the former.
    let loads: [QueueLoad]
    /// The window whose rate counts as the maximum of a system.
    let widest: Int
    let rounds: Int
    let seconds: Double
    let writesJSON: Bool
    /// Brokers have the first core, workers and the client the second.
    let isPinned: Bool
    private let systems: Set<String>

    init(_ options: BenchOptions) throws(BenchError) {
        sizes = try Self.numbers(options["sizes"] ?? "256,4096,65536,524288", "sizes")
        let windows = Set(try Self.numbers(options["windows"] ?? "1,16,64", "windows"))
        let shares = try Self.numbers(options["loads"] ?? "50,80", "loads", least: 0)
            .filter { $0 > 0 }
        let widest = max(windows.max() ?? 0, 64)
        self.widest = widest
        loads =
            windows.union(shares.isEmpty ? [] : [widest]).sorted(by: >).map(QueueLoad.window)
            + shares.flatMap { [.common($0), .own($0)] }
        rounds = try options.count("rounds", default: 21)
        guard let seconds = Double(options["seconds"] ?? "0.4"), seconds > 0 else {
            throw BenchError(.usage, "--seconds is a number above 0")
        }
        self.seconds = seconds
        writesJSON = options["json"] == "true"
        isPinned = options["pinned"] == "true"
        systems = Set((options["systems"] ?? "").split(separator: ",").map(String.init))
    }

    /// Where the processes run, in words.
    var pinning: String {
        isPinned ? "brokers on one core, workers and client on the other" : "nothing pinned"
    }

    func wants(_ system: String) -> Bool {
        systems.isEmpty || system == Self.base || systems.contains(system)
    }

    private static func numbers(
        _ text: String, _ option: String, least: Int = 1
    ) throws(BenchError) -> [Int] {
        let numbers = text.split(separator: ",").compactMap { Int($0) }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0 >= least && $0 <= 1 << 20 }) else {
            throw BenchError(.usage, "--\(option) is a list of whole numbers, as 256,4096")
        }
        return numbers
    }
}
