/// Why a benchmark cannot run or be believed.
struct BenchError: Error, CustomStringConvertible {
    /// What a benchmark can fail of.
    enum Code: String {
        /// The command line is not understood.
        case usage
        /// A program that is measured is not there, does not start or has ended.
        case program
        /// A peer answered something else than expected, or not in time.
        case answer
        /// The system refused a call.
        case system
    }

    let code: Code
    let context: String
    var description: String { "\(code.rawValue): \(context)" }

    init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }
}
