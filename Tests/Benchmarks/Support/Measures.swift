/// Figures drawn from many measurements.
enum Measures {
    /// The value below which a share (0…1) of the values lie; 0 if there are none.
    static func percentile(_ share: Double, of values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let rank = (share * Double(sorted.count)).rounded(.up)
        return sorted[min(max(Int(rank) - 1, 0), sorted.count - 1)]
    }

    /// The middle value.
    static func median(_ values: [Double]) -> Double { percentile(0.5, of: values) }

    /// The ratio of each round, `first` to `second`.
    static func ratios(_ first: [Double], _ second: [Double]) -> [Double] {
        zip(first, second).map { $1 == 0 ? 0 : $0 / $1 }
    }
}

/// Numbers as they stand in the tables.
enum Figure {
    /// With so many digits behind the point.
    static func of(_ value: Double, digits: Int = 1) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let units = Int((abs(value) * scale).rounded())
        let sign = value < 0 && units > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(grouped(units))" }
        let (whole, fraction) = units.quotientAndRemainder(dividingBy: Int(scale))
        let text = String(fraction)
        let zeros = String(repeating: "0", count: digits - text.count)
        return "\(sign)\(grouped(whole)).\(zeros)\(text)"
    }

    /// The median of ratios with its quartiles: `1.24 (1.10–1.31)`.
    static func ofRatios(_ ratios: [Double]) -> String {
        let low = of(Measures.percentile(0.25, of: ratios), digits: 2)
        let high = of(Measures.percentile(0.75, of: ratios), digits: 2)
        return "\(of(Measures.median(ratios), digits: 2)) (\(low)–\(high))"
    }

    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var parts: [String] = []
        while digits.count > 3 {
            parts.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + parts).joined(separator: ",")
    }
}
