import Messages

/// What all rounds gave, as tables and as JSON.
struct QueueReport {
    private struct Cell: Hashable {
        let system: String
        let size: Int
        let load: QueueLoad
    }
    private let plan: QueuePlan
    private let systems: [String]
    private var results: [Cell: [LoadResult]] = [:]

    init(plan: QueuePlan, systems: [String]) {
        self.plan = plan
        self.systems = systems
    }

    mutating func add(_ result: LoadResult, _ system: String, size: Int, load: QueueLoad) {
        results[Cell(system: system, size: size, load: load), default: []].append(result)
    }

    private func values(
        _ system: String, _ size: Int, _ load: QueueLoad, _ value: (LoadResult) -> Double
    ) -> [Double] {
        (results[Cell(system: system, size: size, load: load)] ?? []).map(value)
    }

    /// For each size and load: each system's figures and their ratios to the minimal broker.
    func tables() -> String {
        plan.sizes.flatMap { size in plan.loads.map { table(size, $0) } }
            .joined(separator: "\n\n")
    }

    private func table(_ size: Int, _ load: QueueLoad) -> String {
        var table = MarkdownTable(
            "system", "requests/s", "p50 µs", "p99 µs", "broker µs", "all µs",
            "throughput to minimal-c", "p50 to minimal-c", "p99 to minimal-c")
        for system in systems {
            func median(_ value: @escaping (LoadResult) -> Double) -> String {
                Figure.of(Measures.median(values(system, size, load, value)))
            }
            func ratio(_ value: @escaping (LoadResult) -> Double) -> String {
                RatioInterval(
                    values(system, size, load, value),
                    values(QueuePlan.base, size, load, value)
                ).text
            }
            table.add(
                system,
                Figure.of(
                    Measures.median(values(system, size, load, \.requestsPerSecond)), digits: 0),
                median(\.p50), median(\.p99), median(\.brokerMicroseconds),
                median(\.allMicroseconds), ratio(\.requestsPerSecond), ratio(\.p50), ratio(\.p99))
        }
        return "\(size) bytes, \(load.text):\n\n\(table.text)"
    }

    /// Our ratios to every other system, by size and load.
    func json() -> String {
        let cells = plan.sizes.flatMap { size in plan.loads.map { cell(size, $0) } }
        let all = JSONValue.object([
            "rounds": .integer(plan.rounds), "cells": .array(cells),
        ])
        return String(decoding: all.canonical(), as: UTF8.self)
    }

    private func cell(_ size: Int, _ load: QueueLoad) -> JSONValue {
        var ratios: [String: JSONValue] = [:]
        for system in systems where system != "sightline" {
            let kinds: [(name: String, value: (LoadResult) -> Double)] = [
                ("throughput", \.requestsPerSecond), ("p50", \.p50), ("p99", \.p99),
                ("cpu", \.allMicroseconds),
            ]
            var medians: [String: JSONValue] = [:]
            var intervals: [String: JSONValue] = [:]
            for (name, value) in kinds {
                let interval = RatioInterval(
                    values("sightline", size, load, value), values(system, size, load, value))
                medians[name] = .number(interval.median)
                intervals[name] = .array([.number(interval.low), .number(interval.high)])
            }
            ratios[system] = .object(medians.merging(["intervals": .object(intervals)]) { $1 })
        }
        var members: [String: JSONValue] = ["size": .integer(size), "ratios": .object(ratios)]
        switch load {
        case .window(let window): members["window"] = .integer(window)
        case .share(let percent): members["loadPercent"] = .integer(percent)
        }
        return .object(members)
    }
}

/// The median of per-round ratios, with the interval that holds the true one in 95 of 100 cases.
struct RatioInterval {
    let median: Double
    let low: Double
    let high: Double

    init(_ first: [Double], _ second: [Double]) {
        let ratios = Measures.ratios(first, second).sorted()
        guard !ratios.isEmpty else {
            (median, low, high) = (0, 0, 0)
            return
        }
        let count = Double(ratios.count)
        // Ranks of order statistics around the median, from the binomial distribution.
        let rank = max(0, Int(((count - 1.96 * count.squareRoot()) / 2).rounded(.down)) - 1)
        median = Measures.median(ratios)
        low = ratios[rank]
        high = ratios[ratios.count - 1 - rank]
    }

    var text: String {
        "\(Figure.of(median, digits: 2)) (\(Figure.of(low, digits: 2))–\(Figure.of(high, digits: 2)))"
    }
}
