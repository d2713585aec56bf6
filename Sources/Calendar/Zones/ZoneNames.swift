import Foundation

/// Zones by the names that calendars use beside those of IANA.
enum ZoneNames {
    /// In this order: an IANA name, a Windows name, either of them in other letters, with spaces or
    /// `-` where IANA has `_` and `/`, or behind a path such as that of
    /// `/freeassociation.sourceforge.net/Europe/Berlin`. Nil if it is none.
    static func zone(named name: String) -> Zone? {
        if let zone = Zone(identifier: name) { return zone }
        if let zone = known(name) { return zone }
        let parts = name.split(separator: "/", maxSplits: 16)
        for count in [3, 2, 1] where parts.count > count {
            let tail = parts.suffix(count).joined(separator: "/")
            if let zone = Zone(identifier: tail) ?? known(tail) { return zone }
        }
        return nil
    }

    private static func known(_ name: String) -> Zone? {
        guard name.utf8.count <= 64 else { return nil }
        if let identifier = WindowsZones.identifier(of: name) {
            return Zone(identifier: identifier)
        }
        return folded[fold(name)].flatMap(Zone.init(identifier:))
    }

    /// Every name that is known, by its letters and digits alone.
    private static let folded: [String: String] = {
        var folded = [
            "z": "UTC", "coordinated universal time": "UTC", "greenwich mean time": "GMT",
        ]
        .reduce(into: [:]) { $0[fold($1.key)] = $1.value }
        for (name, identifier) in WindowsZones.all { folded[fold(name)] = identifier }
        for name in Foundation.TimeZone.knownTimeZoneIdentifiers { folded[fold(name)] = name }
        return folded
    }()

    /// `Etc/GMT+5` and `Etc/GMT-5` stay apart.
    private static func fold(_ name: String) -> String {
        let hasDigit = name.utf8.contains { $0.digit != nil }
        return name.lowercased().filter {
            $0.isLetter || $0.isNumber || (hasDigit && ($0 == "+" || $0 == "-"))
        }
    }
}

extension ICalendar {
    /// The version of the time zone data that every computation uses, such as `2025b`.
    ///
    /// The data is a part of this program's run time library: two replicas of one build have the
    /// same.
    public static var zoneDataVersion: String { Foundation.TimeZone.timeZoneDataVersion }
}
