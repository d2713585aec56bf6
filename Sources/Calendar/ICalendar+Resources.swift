extension ICalendar {
    /// Splits a VCALENDAR text into one resource a UID, with the VTIMEZONEs that it names.
    ///
    /// The text is not judged further than that: values are read when a resource is expanded. The
    /// events keep their bytes, apart from line ends. Other components than VEVENT are left out. An
    /// event without UID gets one made from its bytes, so that the same text gives the same UID.
    /// Several VCALENDARs in one text are taken together; one event without VCALENDAR is taken too.
    ///
    /// - Parameters:
    ///   - text: bytes from outside, of any size.
    ///   - bytesMax: the largest text that is looked at. All resources together, in which zones are
    ///     repeated, may take 16 times as much.
    /// - Returns: the resources in order of their first event.
    /// - Throws: `tooLarge`, `notACalendar` if there is no component, `unbalanced` if one is not
    ///   closed.
    public static func resources(
        in text: [UInt8], bytesMax: Int
    ) throws(CalendarError) -> [CalendarResource] {
        guard text.count <= bytesMax else {
            throw CalendarError(.tooLarge, "\(text.count) bytes; at most \(bytesMax) are allowed")
        }
        var splitter = ResourceSplitter(text)
        return try splitter.split(
            bytesMax: min(bytesMax, Int.max / Bounds.expansionMax) * Bounds.expansionMax)
    }
}
