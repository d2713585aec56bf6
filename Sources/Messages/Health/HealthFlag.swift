/// What of a reading can hardly be true. A flag changes nothing: the reading stays as it was given.
public enum HealthFlag: String, Sendable, CaseIterable {
    /// A value that living people do not have.
    case outOfRange
    /// The value would be a usual one in the other unit of its kind.
    case unitDoubtful
    /// Diastolic is not below systolic.
    case pairReversed
    /// The reading ends before it begins.
    case endsBeforeStart
    /// The reading is of a time behind the instant that the request is answered for.
    case inFuture
}

extension HealthReading {
    /// What can hardly be true, in the order of `HealthFlag`.
    ///
    /// - Parameter asOf: milliseconds since 1970, UTC. A clock may be some minutes ahead: a
    ///   reading is in the future from `Limits.clockSlackMilliseconds` on.
    public func flags(asOf: Int) -> [HealthFlag] {
        HealthFlag.allCases.filter { flag in
            switch flag {
            case .outOfRange: quantities.indices.contains { !isUsual(quantities[$0], $0) }
            case .unitDoubtful: quantities.indices.contains { isDoubtful(quantities[$0], $0) }
            case .pairReversed: isReversed
            case .endsBeforeStart: end < start
            case .inFuture: start > asOf + Limits.clockSlackMilliseconds
            }
        }
    }

    /// The values that living people have, in the first unit of the kind; wide, since a reading
    /// that alarms is no wrong one.
    private static func usual(_ measure: String) -> ClosedRange<Double> {
        switch measure {
        case "systolic": 40...300
        case "diastolic": 20...200
        case "glucose": 10...1_500
        default: 20...350
        }
    }

    private func isUsual(_ quantity: Quantity, _ index: Int) -> Bool {
        guard let unit = kind.units.first,
            let value = quantity.unit.convert(quantity.value, to: unit)
        else { return false }
        return Self.usual(kind.measures[index]).contains(value)
    }

    private func isDoubtful(_ quantity: Quantity, _ index: Int) -> Bool {
        !isUsual(quantity, index)
            && kind.units.contains { unit in
                unit != quantity.unit && isUsual(Quantity(quantity.value, unit), index)
            }
    }

    private var isReversed: Bool {
        guard kind == .bloodPressure, quantities.count == 2,
            let second = quantities[1].unit.convert(quantities[1].value, to: quantities[0].unit)
        else { return false }
        return second >= quantities[0].value
    }
}
