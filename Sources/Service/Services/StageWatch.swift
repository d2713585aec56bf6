import Messages

/// Takes the time of a job's stages, one after another.
struct StageWatch {
    private var begin = SystemClock.monotonic()
    private var stages: [String] = []

    /// The stage that ran until now.
    mutating func end(_ name: String) {
        let now = SystemClock.monotonic()
        stages.append("\(name)=\((now.nanoseconds - begin.nanoseconds) / 1_000)")
        begin = now
    }

    /// `name=microseconds`, separated by commas.
    var text: String { stages.joined(separator: ",") }
}
