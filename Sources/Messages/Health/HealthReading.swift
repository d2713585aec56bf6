/// One reading of a device, such as a blood pressure monitor or a glucose meter.
///
/// A reading never changes: a producer adds it and may take it away again.
public struct HealthReading: JSONBody {
    /// What was measured.
    public enum Kind: String, Sendable, CaseIterable {
        /// Systolic and diastolic, always both.
        case bloodPressure
        /// Glucose in the blood.
        case bloodGlucose
        /// Beats of the heart.
        case heartRate

        /// The members of the reading that hold its values, in order.
        public var measures: [String] {
            switch self {
            case .bloodPressure: ["systolic", "diastolic"]
            case .bloodGlucose: ["glucose"]
            case .heartRate: ["rate"]
            }
        }

        /// The units that its values may have; the first is the one in which they are compared.
        public var units: [HealthUnit] { HealthUnit.allCases.filter { $0.kind == self } }
    }

    /// When glucose was measured.
    public enum Meal: String, Sendable, CaseIterable {
        /// Before a meal.
        case before
        /// After a meal.
        case after
    }

    /// A value with its unit, as the device gave it.
    public struct Quantity: Sendable, Equatable {
        /// Any finite number: what cannot be is flagged, not refused.
        public var value: Double
        /// Its unit.
        public var unit: HealthUnit

        /// From its parts.
        public init(_ value: Double, _ unit: HealthUnit) {
            self.value = value
            self.unit = unit
        }
    }

    /// Unique among the account's readings, such as the UUID of a HealthKit sample.
    public var id: String
    /// What was measured.
    public var kind: Kind
    /// When it began; milliseconds since 1970, UTC.
    public var start: Int
    /// When it ended; milliseconds since 1970, UTC.
    public var end: Int
    /// One for each of the kind's measures, in their order.
    public var quantities: [Quantity]
    /// When it was measured, for glucose; nil if that is not known.
    public var meal: Meal?
    /// The device or program that measured; nil if that is not known.
    public var device: String?

    /// From its parts.
    public init(
        id: String, kind: Kind, start: Int, end: Int? = nil, quantities: [Quantity],
        meal: Meal? = nil, device: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.start = start
        self.end = end ?? start
        self.quantities = quantities
        self.meal = meal
        self.device = device
    }

    /// Reads the reading from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        guard let name = value["kind"]?.text, let kind = Kind(rawValue: name) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONError("kind must be one of \(kinds)")
        }
        let members = try Members(
            value,
            allowing: ["id", "kind", "start", "end", "device"] + kind.measures
                + (kind == .bloodGlucose ? ["meal"] : []))
        id = try members.requiredName("id")
        self.kind = kind
        start = try Members.integer(try members.required("start"), at: "start", in: Self.instants)
        end = try members.integer("end", in: Self.instants) ?? start
        var quantities: [Quantity] = []
        for measure in kind.measures {
            quantities.append(
                try Self.quantity(try members.required(measure), at: measure, of: kind))
        }
        self.quantities = quantities
        meal = try Self.meal(members)
        device = try members.name("device")
    }

    private static let instants = -Limits.revisionMax...Limits.revisionMax

    private static func quantity(
        _ value: JSONValue, at place: String, of kind: Kind
    ) throws(JSONError) -> Quantity {
        let members = try Members(value, at: place, allowing: ["value", "unit"])
        guard let number = try members.required("value").double else {
            throw JSONError("\(place).value must be a number")
        }
        let name = try members.required("unit").text
        guard let unit = name.flatMap(HealthUnit.init(rawValue:)), unit.kind == kind else {
            let units = kind.units.map(\.rawValue).joined(separator: ", ")
            throw JSONError("\(place).unit must be one of \(units)")
        }
        return Quantity(number, unit)
    }

    private static func meal(_ members: Members) throws(JSONError) -> Meal? {
        guard let value = members.value("meal") else { return nil }
        guard let meal = value.text.flatMap(Meal.init(rawValue:)) else {
            throw JSONError("meal must be one of before, after")
        }
        return meal
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add("id", text: id)
        members.add("kind", text: kind.rawValue)
        members.add("start", .integer(start))
        members.add("end", end == start ? nil : .integer(end))
        for (measure, quantity) in zip(kind.measures, quantities) {
            members.add(measure, quantity.json)
        }
        members.add("meal", text: meal?.rawValue)
        members.add("device", text: device)
        return .object(members.json)
    }
}

extension HealthReading.Quantity {
    /// `{"value":…,"unit":…}`.
    public var json: JSONValue {
        .object(["value": .number(value), "unit": .string(unit.rawValue)])
    }
}
