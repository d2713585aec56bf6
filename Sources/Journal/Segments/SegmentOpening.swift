/// Reads all files of a log once, finds where they can be trusted, and repairs a torn write.
struct SegmentOpening: Sendable {
    let folder: Folder
    let prefix: String
    let mode: SegmentLog.Mode
    let expectation: SegmentExpectation

    /// The epoch and the state of a log that was found or made.
    func open(
        newEpoch: UInt64
    ) throws(JournalError) -> (epoch: UInt64, state: SegmentLog.State) {
        guard mode == .readOnly else {
            let opened = try look(newEpoch: newEpoch)
            // A killed process may have left whole records, and names, that are not on the disk
            // yet. They count from now on, so they have to be there.
            try opened.state.segments.last?.file.sync()
            try folder.sync()
            return opened
        }
        for _ in 0..<3 {
            do throws(JournalError) {
                return try look(newEpoch: newEpoch)
            } catch {
                // The writer may have removed a file between the list of names and the look.
                guard error.code == .notFound else { throw error }
            }
        }
        return try look(newEpoch: newEpoch)
    }

    private func look(
        newEpoch: UInt64
    ) throws(JournalError) -> (epoch: UInt64, state: SegmentLog.State) {
        var names = try segmentNames()
        if expectation.mayBegin, try isTornFirstFile(names) {
            // Its header was never synced, so no record was ever acknowledged.
            try folder.remove(names[0])
            names = []
        }
        guard let first = names.first else {
            guard mode == .readWrite else {
                throw JournalError(.notFound, "no \(prefix) segments in \(folder.path)")
            }
            guard expectation.mayBegin else {
                throw JournalError(
                    .damaged,
                    "the \(prefix) files are gone from \(folder.path), where other files of them "
                        + "still are: restore a backup into an empty folder")
            }
            let segment = try Self.create(folder, prefix, epoch: newEpoch, firstSequence: 1)
            return (newEpoch, SegmentLog.State(segments: [segment]))
        }
        let file = try folder.file(first, .read)
        let head = try file.read(at: 0, count: SegmentFormat.headerBytes)
        guard let header = SegmentFormat.decodeHeader(head) else {
            throw SegmentDamage(file: file.path, offset: 0, reason: "no segment header").error
        }
        var state = SegmentLog.State()
        for name in names where state.damage == nil {
            try read(name, isLast: name == names.last, epoch: header.epoch, into: &state)
        }
        return (header.epoch, state)
    }

    /// Makes a file with a header, durable under its name.
    static func create(
        _ folder: Folder, _ prefix: String, epoch: UInt64, firstSequence: UInt64
    ) throws(JournalError) -> Segment {
        let name = Segment.name(prefix, firstSequence: firstSequence)
        let file = try folder.file(name, .createNew)
        try file.write(
            SegmentFormat.header(epoch: epoch, firstSequence: firstSequence), at: 0)
        try file.sync()
        try folder.sync()
        return Segment(file: file, firstSequence: firstSequence)
    }

    func segmentNames() throws(JournalError) -> [String] {
        try folder.names().filter { $0.hasPrefix(prefix + "-") && $0.hasSuffix(".segment") }
    }

    private func isTornFirstFile(_ names: [String]) throws(JournalError) -> Bool {
        guard mode == .readWrite, names.count == 1 else { return false }
        let head = try folder.file(names[0], .read).read(
            at: 0, count: SegmentFormat.headerBytes + 1)
        return head.count <= SegmentFormat.headerBytes
            && SegmentFormat.decodeHeader(head) == nil
    }

    private func read(
        _ name: String, isLast: Bool, epoch: UInt64, into state: inout SegmentLog.State
    ) throws(JournalError) {
        let file = try folder.file(name, mode == .readWrite ? .write : .read)
        let expected = state.segments.last?.nextSequence
        let look = try SegmentLook(file, name: name, prefix, epoch: epoch, expected: expected)
        switch look.finding {
        case .whole where isLast && look.segment.nextSequence <= expectation.lastMin:
            state.segments.append(look.segment)
            state.damage = SegmentDamage(
                file: file.path, offset: look.segment.end,
                reason: "no record \(look.segment.nextSequence), and there were "
                    + "\(expectation.lastMin)")
        case .whole:
            state.segments.append(look.segment)
        case .torn(let place)
        where isLast && look.segment.nextSequence > expectation.lastMin:
            state.segments.append(look.segment)
            try repair(place, look, into: &state)
        case .noFile(let place) where isLast:
            state.unfinished = mode == .readOnly ? place : nil
            if mode == .readWrite { try removeTornFile(file, name, into: &state) }
        case .torn(let place), .damaged(let place):
            state.segments.append(look.segment)
            state.damage = place
        case .noFile(let place), .foreign(let place):
            state.damage = place
        }
    }

    /// Cuts a torn write off. A reader leaves it: the writer may be in the middle of it.
    private func repair(
        _ place: SegmentDamage, _ look: SegmentLook, into state: inout SegmentLog.State
    ) throws(JournalError) {
        guard mode == .readWrite else {
            state.unfinished = place
            return
        }
        try look.segment.file.truncate(to: look.segment.end)
        try look.segment.file.sync()
        state.cut = place
    }

    /// A crash came between making the file and syncing its header.
    private func removeTornFile(
        _ file: File, _ name: String, into state: inout SegmentLog.State
    ) throws(JournalError) {
        try folder.remove(name)
        try folder.sync()
        state.cut = SegmentDamage(file: file.path, offset: 0, reason: "the file was begun only")
    }
}
