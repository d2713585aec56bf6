public import Bytes

extension Message {
    /// The frames on the wire.
    public func frames() -> [[UInt8]] {
        sharedFrames().map(\.array)
    }

    /// The same; what was received stays where it is.
    public func sharedFrames() -> [SharedBytes] {
        var (frames, first): ([SharedBytes], [UInt8]) = ([], [])
        write(into: &frames, first: &first)
        return frames
    }

    /// Adds the frames on the wire to others. The first one is written into an array that can be
    /// used again once nobody else holds it.
    public func write(into frames: inout [SharedBytes], first: inout [UInt8]) {
        writeFirst(into: &first)
        frames.append(SharedBytes(first))
        frames.append(sharedBody)
        if !sharedAttachments.isEmpty { frames += sharedAttachments }
        if let diagnostics { frames.append(SharedBytes(diagnostics)) }
    }

    private func writeFirst(into first: inout [UInt8]) {
        var flags = header.flags
        if diagnostics == nil { flags.remove(.diagnostics) } else { flags.insert(.diagnostics) }
        first.removeAll(keepingCapacity: true)
        first.reserveCapacity(Header.byteCount + fields.encodedByteCount)
        let start =
            UInt64(Header.majorVersion) << 24 | UInt64(Header.minorVersion) << 16
            | UInt64(header.command.rawValue) << 8 | UInt64(flags.rawValue)
        first.append(bigEndian: UInt64(Header.magicNumber) << 32 | start)
        let middle =
            UInt64(header.priority) << 24 | UInt64(header.attempt) << 16
            | UInt64(UInt16(sharedAttachments.count))
        first.append(bigEndian: middle << 32 | UInt64(header.budgetMilliseconds))
        first.append(bigEndian: header.requestID.high)
        first.append(bigEndian: header.requestID.low)
        fields.encode(into: &first)
    }

    /// Reads a message from its frames; never traps, whatever they hold.
    ///
    /// - Throws: `WireError` that names the fault and what is allowed.
    public init(frames: [[UInt8]]) throws(WireError) {
        try self.init(frames: frames.map { SharedBytes($0) }[...])
    }

    /// The same of frames that stay where they are.
    public init(frames: ArraySlice<SharedBytes>) throws(WireError) {
        guard let first = frames.first?.array else {
            throw WireError(.noFrame, "a message has 2 frames")
        }
        try Self.checkSizes(frames)
        let (header, attachmentCount) = try Header.decode(first)
        let expected = 2 + attachmentCount + (header.flags.contains(.diagnostics) ? 1 : 0)
        guard frames.count == expected else {
            throw WireError(.frameCount, "\(frames.count) frames where \(expected) are announced")
        }
        self.header = header
        fields = try Fields(decoding: first, from: Header.byteCount)
        let hashes = fields.slice(.attachments).map { $0.count / ContentHash.byteCount } ?? 0
        guard hashes == attachmentCount else {
            throw WireError(.badField, "\(hashes) hashes for \(attachmentCount) attachments")
        }
        let rest = frames.dropFirst()
        sharedBody = rest[rest.startIndex]
        sharedAttachments = Array(rest.dropFirst().prefix(attachmentCount))
        diagnostics = header.flags.contains(.diagnostics) ? rest.last?.array : nil
    }

    private static func checkSizes(_ frames: ArraySlice<SharedBytes>) throws(WireError) {
        guard frames.count <= Limits.framesMax else {
            throw WireError(.tooManyFrames, "\(frames.count) frames; at most \(Limits.framesMax)")
        }
        var total = 0
        for frame in frames {
            guard frame.count <= Limits.frameBytesMax else {
                throw WireError(
                    .frameTooLarge, "a frame holds at most \(Limits.frameBytesMax) bytes")
            }
            total += frame.count
        }
        guard total <= Limits.messageBytesMax else {
            throw WireError(
                .messageTooLarge, "a message holds at most \(Limits.messageBytesMax) bytes")
        }
    }
}

extension Header {
    /// The header at the start of a frame, and how many attachments it announces.
    static func decode(_ frame: [UInt8]) throws(WireError) -> (Header, Int) {
        guard frame.count >= byteCount else {
            throw WireError(.shortHeader, "\(frame.count) bytes where a header has \(byteCount)")
        }
        guard frame[0] == 0x53, frame[1] == 0x4C, frame[2] == 0x54, frame[3] == 0x4E else {
            throw WireError(.badMagic, "no Sightline message")
        }
        guard frame[4] == majorVersion else {
            throw WireError(
                .unsupportedVersion, "major version \(frame[4]); this side speaks \(majorVersion)")
        }
        guard let command = Command(rawValue: frame[6]) else {
            throw WireError(.unknownCommand, "command \(frame[6])")
        }
        guard frame[8] <= priorityMax else {
            throw WireError(.badPriority, "priority \(frame[8]); 0 to \(priorityMax) are allowed")
        }
        let header = Header(
            command,
            requestID: RequestID(
                high: bigEndianInteger(frame[16..<24]), low: bigEndianInteger(frame[24..<32])),
            budgetMilliseconds: bigEndianInteger(frame[12..<16]),
            flags: Flags(rawValue: frame[7]), priority: frame[8], attempt: frame[9])
        return (header, Int(bigEndianInteger(frame[10..<12]) as UInt16))
    }
}
