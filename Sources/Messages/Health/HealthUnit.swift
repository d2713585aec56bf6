/// A unit in which a measured value is written, as HealthKit spells it.
public enum HealthUnit: String, Sendable, CaseIterable {
    /// Millimetres of mercury.
    case millimetersOfMercury = "mmHg"
    /// Kilopascals.
    case kilopascals = "kPa"
    /// Milligrams of glucose per decilitre.
    case milligramsPerDeciliter = "mg/dL"
    /// Millimoles of glucose per litre.
    case millimolesPerLiter = "mmol/L"
    /// Beats a minute.
    case perMinute = "count/min"
    /// Beats a second.
    case hertz = "Hz"

    /// The kind of reading that is written in it.
    public var kind: HealthReading.Kind {
        switch self {
        case .millimetersOfMercury, .kilopascals: .bloodPressure
        case .milligramsPerDeciliter, .millimolesPerLiter: .bloodGlucose
        case .perMinute, .hertz: .heartRate
        }
    }

    /// A value of this unit in another one of the same kind, rounded to the digits that the other
    /// one is written with; a value in its own unit stays as it is.
    ///
    /// - Returns: nil if the other unit is of another kind.
    public func convert(_ value: Double, to other: HealthUnit) -> Double? {
        guard other.kind == kind else { return nil }
        guard other != self else { return value }
        let scale = other.scale
        let scaled = value * factor / other.factor * scale
        // Beyond this every number is whole, and there is nothing to round.
        guard scaled.magnitude < 9_007_199_254_740_991 else { return value * factor / other.factor }
        return scaled.rounded(.toNearestOrAwayFromZero) / scale
    }

    /// How much of the kind's first unit one of this unit is.
    private var factor: Double {
        switch self {
        case .millimetersOfMercury, .milligramsPerDeciliter, .perMinute: 1
        // 1 mmHg is 133.322387415 Pa.
        case .kilopascals: 1 / 0.133322387415
        // The molar mass of glucose is 180.15588 g/mol.
        case .millimolesPerLiter: 18.015588
        case .hertz: 60
        }
    }

    /// Parts of one that a converted value has: small enough that converting back gives the value
    /// that was written.
    private var scale: Double {
        switch self {
        case .millimetersOfMercury, .milligramsPerDeciliter, .perMinute: 10
        case .kilopascals, .millimolesPerLiter: 100
        case .hertz: 1_000
        }
    }
}
