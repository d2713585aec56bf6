import Evaluation
import Foundation
import Messages
import Service

/// The options of `evaluate` that are for measuring in this process.
enum EvaluateArguments {
    private static let local = [
        "distractors", "entries", "seed", "strength", "strangers", "series", "cache", "pictures",
        "distort", "kind", "write-queries", "failures",
    ]

    /// Options that are for files with known answers.
    static let ofSets = ["root", "catalog", "pairs", "negatives", "set", "connect"]

    /// What the options say.
    ///
    /// - Throws: `UsageError` that names what is allowed.
    static func options(_ arguments: Arguments) throws -> LocalEvaluation.Options {
        var options = LocalEvaluation.Options(
            root: arguments["pictures"] ?? arguments["root"] ?? "")
        options.distractors = arguments["distractors"]
        options.entries = try arguments.integer("entries", in: 1...Limits.entitiesMax) ?? 0
        if let seed = try arguments.integer("seed", in: 0...Int(UInt32.max)) {
            options.seed = UInt64(seed)
        }
        if let percent = try arguments.integer("strength", in: 0...100) {
            options.strength = Double(percent) / 100
        }
        if let most = try arguments.integer("strangers", in: 0...Limits.entitiesMax) {
            options.distortedMax = most
        }
        options.views =
            try arguments.integer("distort", in: 0...Limits.distortionsMax)
            ?? (arguments["pictures"] == nil ? 0 : 3)
        options.viewKind = try arguments["kind"].map { name in
            guard let kind = Distortion.Kind(rawValue: name) else {
                let known = Distortion.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--kind takes one of \(known), not '\(name)'")
            }
            return kind
        }
        options.writesQueries = arguments["write-queries"]
        options.series = try arguments.integer("series", in: 0...Limits.entitiesMax) ?? 0
        options.cache = arguments["cache"]
        options.budgetMilliseconds = try arguments.deadline()
        options.cores =
            try arguments.integer("in-flight", in: 1...64)
            ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
        return options
    }

    /// - Throws: `UsageError` if an option is given that a router knows nothing of.
    static func refuseLocalOptions(_ arguments: Arguments) throws {
        if let option = local.first(where: { arguments.isGiven($0) }) {
            throw UsageError("--\(option) is for measuring in this process, not for --connect")
        }
    }
}
