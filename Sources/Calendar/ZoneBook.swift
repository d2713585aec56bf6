/// Looks zones up by the names that a calendar uses, and keeps those that were expanded.
struct ZoneBook {
    /// Of floating and all-day values.
    let viewer: Zone
    /// Instants after it need no exact zone.
    private let through: Int64
    private var known: [String: Zone?] = [:]
    /// The VTIMEZONEs of the resource that is being expanded, and those looked up among them.
    private var components: [ZoneComponent] = []
    private var own: [String: Zone] = [:]
    /// VTIMEZONEs of different resources are mostly the same ones.
    private var tables: [(component: ZoneComponent, table: ZoneTable)] = []

    init(viewer: Zone, through: Int64) {
        self.viewer = viewer
        // Events that begin in the window may end after it.
        self.through = min(through + 400 * 86_400, Bounds.secondsMax)
    }

    /// Turns to another resource, whose own zones come before those of the same name elsewhere.
    mutating func begin(_ components: [ZoneComponent]) {
        self.components = Array(components.prefix(Bounds.zonesMax))
        own = [:]
    }

    /// The zone of a TZID: the object's own VTIMEZONE, else IANA, else a Windows name; nil if none.
    mutating func zone(named name: String) -> Zone? {
        if let zone = own[name] { return zone }
        if let component = components.first(where: { $0.name == name && !$0.observances.isEmpty }) {
            let zone = Zone.table(table(of: component))
            own[name] = zone
            return zone
        }
        if let zone = known[name] { return zone }
        let zone = Self.lookUp(name)
        known[name] = zone
        return zone
    }

    private mutating func table(of component: ZoneComponent) -> ZoneTable {
        if let found = tables.first(where: { $0.component == component }) { return found.table }
        let table = ZoneTable(component, through: through)
        tables.append((component, table))
        // A short list: searching it stays cheaper than expanding.
        if tables.count > 64 { tables.removeFirst() }
        return table
    }

    /// Some producers put a path before the name: `/freeassociation.sourceforge.net/Europe/Berlin`.
    private static func lookUp(_ name: String) -> Zone? {
        if let zone = Zone(identifier: name) { return zone }
        if let identifier = WindowsZones.identifier(of: name) {
            return Zone(identifier: identifier)
        }
        guard name.hasPrefix("/") else { return nil }
        let parts = name.split(separator: "/")
        for count in [3, 2, 1] where parts.count > count {
            let tail = parts.suffix(count).joined(separator: "/")
            if let zone = Zone(identifier: tail) { return zone }
        }
        return nil
    }
}
