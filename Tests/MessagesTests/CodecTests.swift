import Messages
import TestSupport
import Testing

/// Messages to frames and back, over many seeds.
@Suite(.timeLimit(.minutes(2)))
struct CodecTests {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func whatIsWrittenIsReadAsItWas(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let message = Self.message(&random)
            #expect(try Message(frames: message.frames()) == message)
        }
    }

    /// 20,000 messages in all; the vectors themselves that are larger than a page are left out.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func noInputTraps(seed: UInt64) {
        var random = SeededRandom(seed: 7_000 + seed)
        let vectors = (Vector.valid + Vector.invalid).map(\.frames).filter { frames in
            frames.reduce(0) { $0 + $1.count } < 4_096
        }
        var accepted = 0
        for _ in 0..<1_000 {
            var frames = vectors.randomElement(using: &random) ?? []
            for _ in 0...Int.random(in: 0..<4, using: &random) { Self.mutate(&frames, &random) }
            do throws(WireError) {
                let whole = try Vector.decodeWhole(frames)
                accepted += 1
                // What was accepted can be written, and is then read as the same.
                let again = try Message(frames: whole.message.frames())
                #expect(again == whole.message)
            } catch {
                #expect(!error.context.isEmpty)
            }
        }
        #expect((1..<1_000).contains(accepted))
    }

    @Test func errorTextAlwaysFitsItsField() throws {
        // One Character of 4,000 bytes: a letter under many accents.
        let text = "a" + String(repeating: "\u{301}", count: 2_000)
        let message = Message.error(.badRequest, text)
        let read = try Message(frames: message.frames())
        #expect(read.errorCode == .badRequest)
        #expect(read.fields.text(.errorText)?.unicodeScalars.count == 255)
        #expect(Limits.nameBytesMax >= 4 * Limits.errorTextCharactersMax)
        let widest = Message.error(.internalFault, String(repeating: "\u{10FFFF}", count: 999))
        #expect(try Message(frames: widest.frames()) == widest)
    }

    @Test func diagnosticsFlagFollowsTheFrame() throws {
        var message = Message(Header(.final, flags: .diagnostics), body: Array("[]".utf8))
        #expect(try Message(frames: message.frames()).header.flags.isEmpty)
        message.header.flags = .complete
        message.diagnostics = []
        #expect(
            try Message(frames: message.frames()).header.flags == [.complete, .diagnostics])
    }

    @Test func framesAreReadWhereverTheirSlicesBegan() throws {
        // Fields decode from the middle of a frame; nothing may depend on a slice's start.
        var fields = Fields()
        fields.set(.name, text: "x")
        let bytes: [UInt8] = [9, 9, 9] + fields.encoded()
        #expect(try Fields(decoding: bytes[3...]) == fields)
    }

    private static func message(_ random: inout SeededRandom) -> Message {
        let command = Command.allCases.randomElement(using: &random) ?? .ping
        var flags = Header.Flags(rawValue: UInt8.random(in: 0...255, using: &random))
        flags.remove(.diagnostics)
        let header = Header(
            command, requestID: RequestID(high: random.next(), low: random.next()),
            budgetMilliseconds: UInt32.random(in: 0...UInt32.max, using: &random), flags: flags,
            priority: UInt8.random(in: 0...Header.priorityMax, using: &random),
            attempt: UInt8.random(in: 0...255, using: &random))
        var message = Message(header)
        message.body = random.bytes(Int.random(in: 0..<64, using: &random))
        var hashes: [ContentHash] = []
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            message.attachments.append(random.bytes(Int.random(in: 0..<64, using: &random)))
            if let hash = ContentHash(bytes: random.bytes(32)) { hashes.append(hash) }
        }
        message.fields = fields(&random)
        message.fields.attachmentHashes = hashes
        if Bool.random(using: &random) {
            message.header.flags.insert(.diagnostics)
            message.diagnostics = random.bytes(Int.random(in: 0..<16, using: &random))
        }
        return message
    }

    private static func fields(_ random: inout SeededRandom) -> Fields {
        var fields = Fields()
        let texts: [FieldType] = [.service, .name, .missing, .stream, .account]
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            let type = texts.randomElement(using: &random) ?? .name
            fields.append(type, Array("t\u{FC}\(random.next())".utf8))
        }
        fields.position = Position(epoch: random.next(), sequence: random.next())
        fields.asOf = Timestamp(milliseconds: Int64(bitPattern: random.next()))
        fields.identity = Identity(using: &random)
        fields.set(.limit, integer: UInt32(truncatingIfNeeded: random.next()))
        fields.offers = [
            ServiceOffer(service: "image.search", part: "p\(random.next() % 9)"),
            ServiceOffer(service: "status", isIdempotent: false),
        ]
        return fields
    }

    private static func mutate(_ frames: inout [[UInt8]], _ random: inout SeededRandom) {
        guard !frames.isEmpty else {
            frames = [random.bytes(Int.random(in: 0..<64, using: &random))]
            return
        }
        let place = Int.random(in: 0..<frames.count, using: &random)
        let byte = Int.random(in: 0...frames[place].count, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: frames.remove(at: place)
        case 1: frames.insert(random.bytes(Int.random(in: 0..<48, using: &random)), at: place)
        case 2: frames[place].removeLast(frames[place].count - byte)
        case 3: frames[place].insert(UInt8.random(in: 0...255, using: &random), at: byte)
        case 4: frames.swapAt(place, Int.random(in: 0..<frames.count, using: &random))
        default:
            guard byte < frames[place].count else { return }
            let edges: [UInt8] = [
                0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random),
            ]
            frames[place][byte] = edges.randomElement(using: &random) ?? 0
        }
    }
}
