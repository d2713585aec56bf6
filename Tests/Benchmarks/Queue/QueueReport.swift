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
    /// By round: a system may be left out of some.
    private var results: [Cell: [Int: LoadResult]] = [:]

    init(plan: QueuePlan, systems: [String]) {
        self.plan = plan
        self.systems = systems
    }

    mutating func add(
        _ result: LoadResult, _ system: String, size: Int, load: QueueLoad, round: Int
    ) {
        results[Cell(system: system, size: size, load: load), default: [:]][round] = result
    }

    private func median(
        _ system: String, _ size: Int, _ load: QueueLoad, _ value: (LoadResult) -> Double
    ) -> Double? {
        let rounds = results[Cell(system: system, size: size, load: load)] ?? [:]
        return rounds.isEmpty ? nil : Measures.median(rounds.values.map(value))
    }

    /// Of the rounds that both were measured in; nil if there are none.
    private func ratio(
        _ first: String, _ second: String, _ size: Int, _ load: QueueLoad,
        _ value: (LoadResult) -> Double
    ) -> RatioInterval? {
        let one = results[Cell(system: first, size: size, load: load)] ?? [:]
        let other = results[Cell(system: second, size: size, load: load)] ?? [:]
        let rounds = Set(one.keys).intersection(other.keys).sorted()
        let pairs = rounds.compactMap { round in
            one[round].flatMap { one in other[round].map { (value(one), value($0)) } }
        }
        return pairs.isEmpty ? nil : RatioInterval(pairs.map(\.0), pairs.map(\.1))
    }

    // MARK: Tables

    /// For each size and load: each system's figures and their ratios to the minimal broker.
    func tables() -> String {
        let tables = plan.sizes.flatMap { size in plan.loads.map { table(size, $0) } }
        return (tables + (systems.contains(QueuePlan.own) ? [bars()] : []))
            .joined(separator: "\n\n")
    }

    private func table(_ size: Int, _ load: QueueLoad) -> String {
        var table = MarkdownTable(
            "system", "requests/s", "p50 µs", "p99 µs", "broker µs", "all µs", "failed",
            "throughput to minimal-c", "p50 to minimal-c", "p99 to minimal-c")
        for system in systems {
            func figure(_ value: (LoadResult) -> Double, digits: Int = 1) -> String {
                median(system, size, load, value).map { Figure.of($0, digits: digits) } ?? "–"
            }
            func against(_ value: (LoadResult) -> Double) -> String {
                ratio(system, QueuePlan.base, size, load, value)?.text ?? "–"
            }
            table.add(
                system, figure(\.requestsPerSecond, digits: 0), figure(\.p50), figure(\.p99),
                figure(\.brokerMicroseconds), figure(\.allMicroseconds),
                figure(\.failed, digits: 0), against(\.requestsPerSecond), against(\.p50),
                against(\.p99))
        }
        return "\(size) bytes, \(load.text):\n\n\(table.text)"
    }

    /// What is asked of our router, and what it does.
    private func bars() -> String {
        var table = MarkdownTable("bytes", "load", "to", "what", "ratio (95 %)", "bar", "met")
        for size in plan.sizes {
            for bar in QueueBar.all(size) {
                guard let found = ratio(QueuePlan.own, bar.peer, size, bar.load, bar.value)
                else { continue }
                table.add(
                    Figure.of(Double(size), digits: 0), bar.load.text, bar.peer, bar.name,
                    found.text, bar.text, bar.isMet(found.median) ? "yes" : "no")
            }
        }
        return "Bars of the router:\n\n\(table.text)"
    }

    // MARK: JSON

    /// Our ratios to every other system, by size and load, and the medians of all.
    func json(machine: String) -> String {
        let cells = plan.sizes.flatMap { size in plan.loads.map { cell(size, $0) } }
        let all = JSONValue.object([
            "rounds": .integer(plan.rounds), "seconds": .number(plan.seconds),
            "machine": .string(machine), "cells": .array(cells),
        ])
        return String(decoding: all.canonical(), as: UTF8.self)
    }

    private static var ratioKinds: [(name: String, value: (LoadResult) -> Double)] {
        [
            ("throughput", \.requestsPerSecond), ("p50", \.p50), ("p99", \.p99),
            ("brokerCPU", \.brokerMicroseconds), ("cpu", \.allMicroseconds),
        ]
    }

    private func cell(_ size: Int, _ load: QueueLoad) -> JSONValue {
        var ratios: [String: JSONValue] = [:]
        var figures: [String: JSONValue] = [:]
        for system in systems {
            if system != QueuePlan.own { ratios[system] = self.ratios(to: system, size, load) }
            figures[system] = self.figures(system, size, load)
        }
        var members: [String: JSONValue] = [
            "size": .integer(size), "ratios": .object(ratios), "systems": .object(figures),
        ]
        switch load {
        case .window(let window): members["window"] = .integer(window)
        case .own(let percent):
            members["load"] = .object(["percent": .integer(percent), "of": .string("own")])
        case .common(let percent):
            members["load"] = .object([
                "percent": .integer(percent), "of": .string(QueuePlan.base),
            ])
        }
        return .object(members)
    }

    private func ratios(to system: String, _ size: Int, _ load: QueueLoad) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        var intervals: [String: JSONValue] = [:]
        for (name, value) in Self.ratioKinds {
            guard let interval = ratio(QueuePlan.own, system, size, load, value) else { continue }
            members[name] = .number(interval.median)
            intervals[name] = .array([.number(interval.low), .number(interval.high)])
        }
        guard !members.isEmpty else { return nil }
        members["intervals"] = .object(intervals)
        return .object(members)
    }

    private func figures(_ system: String, _ size: Int, _ load: QueueLoad) -> JSONValue? {
        let kinds: [(name: String, value: (LoadResult) -> Double)] = [
            ("requestsPerSecond", \.requestsPerSecond), ("p50Microseconds", \.p50),
            ("p99Microseconds", \.p99), ("brokerMicroseconds", \.brokerMicroseconds),
            ("allMicroseconds", \.allMicroseconds), ("failed", \.failed),
        ]
        var members: [String: JSONValue] = [:]
        for (name, value) in kinds {
            members[name] = median(system, size, load, value).map(JSONValue.number)
        }
        return members.isEmpty ? nil : .object(members)
    }
}

/// What is asked of our router beside another system.
struct QueueBar {
    let name: String
    let peer: String
    let load: QueueLoad
    let value: (LoadResult) -> Double
    let text: String
    let isMet: (Double) -> Bool

    /// The bars for bodies of a size.
    static func all(_ size: Int) -> [QueueBar] {
        let isLarge = size >= 65_536
        var bars: [QueueBar] = []
        func add(
            _ name: String, _ peer: String, _ load: QueueLoad,
            _ value: @escaping (LoadResult) -> Double,
            atLeast: Double
        ) {
            bars.append(
                QueueBar(
                    name: name, peer: peer, load: load, value: value,
                    text: "≥ \(Figure.of(atLeast, digits: 2))", isMet: { $0 >= atLeast }))
        }
        func add(
            _ name: String, _ load: QueueLoad, _ value: @escaping (LoadResult) -> Double,
            atMost: Double
        ) {
            bars.append(
                QueueBar(
                    name: name, peer: QueuePlan.base, load: load, value: value,
                    text: "≤ \(Figure.of(atMost, digits: 2))", isMet: { $0 <= atMost }))
        }
        let full = QueueLoad.window(64)
        add(
            "throughput", QueuePlan.base, full, \.requestsPerSecond, atLeast: isLarge ? 1.0 : 0.9)
        for load in [QueueLoad.common(50), .own(50)] {
            add("p50", load, \.p50, atMost: 1.15)
            add("p99", load, \.p99, atMost: 1.5)
        }
        for peer in ["nats-2.9", "nats-2.15"] {
            add("throughput", peer, full, \.requestsPerSecond, atLeast: isLarge ? 1.0 : 0.5)
        }
        return bars
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
