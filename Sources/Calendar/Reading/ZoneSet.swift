/// The VTIMEZONEs of one calendar object, shared by all of its series.
final class ZoneSet: Sendable {
    private let zones: [String: ZoneComponent]

    static let empty = ZoneSet([])

    /// The first zone of a name counts, one without observances not at all.
    init(_ components: [ZoneComponent]) {
        var zones: [String: ZoneComponent] = [:]
        for component in components where !component.observances.isEmpty {
            if zones[component.name] == nil { zones[component.name] = component }
        }
        self.zones = zones
    }

    subscript(name: String) -> ZoneComponent? { zones[name] }
}
