import Foundation
import Locking
import Matching
import Raster

/// Pictures read and scaled to the working size, beside libvips and Pillow; and an import of a
/// folder of pictures on one core and on all.
enum PicturesBench: Benchmark {
    static let name = "pictures"
    static let summary =
        "decode and scale beside libvips and Pillow, with peak memory; import of --import DIR"
    static let options = ["python", "rounds", "import", "count"]

    private static let files = [
        ("photo.jpg", "12 MP JPEG"), ("screen.png", "4K PNG screenshot"),
        ("huge.png", "16,384 x 16,384 PNG"), ("photo.webp", "12 MP WebP"),
    ]
    private static let peers = ["vips", "pillow"]

    static func run(_ options: BenchOptions) throws {
        DecoderProcesses.prepare()
        let python = options["python"] ?? "python3"
        let rounds = try options.count("rounds", default: 5)
        let folder = try Started.makeFolder(in: options["folder"])
        defer { Started.remove(folder) }
        print("### Pictures\n\n\(Machine.line)\n")
        Machine.say("making pictures")
        try PicturesPeer.run(python, ["make", folder])
        try measureReading(folder, python, rounds)
        if let pictures = options["import"] {
            let count = try options.count("count", default: 240)
            try PicturesImport.measure(pictures, count: count, folder: folder)
        }
    }

    private static func measureReading(
        _ folder: String, _ python: String, _ rounds: Int
    ) throws {
        let peer = try PicturesPeer(python)
        // What loading their libraries takes does not count.
        for reader in peers { _ = try peer.milliseconds(reader, "\(folder)/screen.png") }
        var table = MarkdownTable(
            "read and scaled to 640", "CPU ms", "beside libvips", "beside Pillow", "bar",
            "peak MB", "libvips", "Pillow", "ends behind its deadline")
        for (file, what) in files {
            let path = "\(folder)/\(file)"
            let isHuge = file == "huge.png"
            var own: [Double] = []
            var others: [String: [Double]] = [:]
            for round in 0..<(isHuge ? min(rounds, 3) : rounds) {
                Machine.say("\(what), round \(round + 1)")
                own.append(try PictureOnce.milliseconds(path))
                for reader in peers {
                    others[reader, default: []].append(try peer.milliseconds(reader, path))
                }
            }
            let ratios = peers.map { Figure.ofRatios(Measures.ratios(own, others[$0] ?? [])) }
            let peaks = try peers.map { reader in
                Figure.of(try PicturesPeer.peak(python, reader, path) / 1_024)
            }
            table.add(
                what, Figure.of(Measures.median(own)), ratios[0], ratios[1], "≤ 1.0",
                Figure.of(try PictureOnce.peak(path, folder) / 1_024), peaks[0], peaks[1],
                "\(Figure.of(try PictureOnce.lateMilliseconds(path))) ms")
        }
        print(table.text + "\n")
    }
}

/// One picture read by this program.
enum PictureOnce: Benchmark {
    static let name = "picture-once"
    static let summary = "kilobytes that reading a picture takes at its peak"
    static let options: [String] = []

    private static let limits = PictureLimits(
        encodedBytesMax: 64 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
        bufferedPixelsMax: 50_000_000)

    static func run(_ options: BenchOptions) throws {
        guard let path = options.positionals.first else {
            throw BenchError(.usage, "picture-once takes a file")
        }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // The peak begins anew here: what reading the file took does not count.
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try peakKilobytes()
        let reading = try Picture.read(
            .encoded(bytes), maxSide: FeaturePrint.workingSide, limits: limits)
        print(try peakKilobytes() - before + reading.decoderPeakBytes / 1_024)
    }

    /// Processor time of reading the file and its pixels.
    static func milliseconds(_ path: String) throws -> Double {
        _ = childMilliseconds()  // of others that ended meanwhile
        let begin = ProcessorTime.ofSelf()
        let bytes = try contents(path)
        let reading = try Picture.read(
            .encoded(bytes), maxSide: FeaturePrint.workingSide, limits: limits)
        precondition(reading.bitmap.width > 0)
        return 1_000 * (ProcessorTime.ofSelf() - begin) + childMilliseconds()
    }

    /// A file's bytes, without the copy that making an array of `Data` takes.
    private static func contents(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "re") else { throw BenchError(.usage, "no file '\(path)'") }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: size) { target, count in
            count = fread(target.baseAddress, 1, size, file)
        }
    }

    /// Milliseconds behind its deadline at which a decode has ended, at most, for deadlines spread
    /// over the time that it takes.
    static func lateMilliseconds(_ path: String) throws -> Double {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func read(until end: Double) -> Bool {
            let reading = try? Picture.read(
                .encoded(bytes), maxSide: FeaturePrint.workingSide, limits: limits,
                shouldStop: { Clock.seconds() >= end })
            return reading != nil
        }
        let whole = Clock.time { _ = read(until: .infinity) }
        var most = 0.0
        for step in 0..<20 {
            let end = Clock.seconds() + whole * Double(step) / 20
            guard !read(until: end) else { continue }
            most = max(most, Clock.seconds() - end)
        }
        return 1_000 * most
    }

    /// The peak of a process that reads nothing but this picture.
    static func peak(_ path: String, _ folder: String) throws -> Double {
        let process = try ChildProcess(
            Programs.own, [name, path], name: "once", folder: folder)
        try process.waitForEnd(seconds: 60)
        guard let kilobytes = Double(process.text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw BenchError(.answer, process.text) }
        return kilobytes
    }

    /// Not getrusage, which counts what the process was before it became this program.
    private static func peakKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Int(line.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "") ?? 0
    }

    /// What decoders in processes of their own, and making these, have taken since this was asked
    /// last.
    private static func childMilliseconds() -> Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_CHILDREN.rawValue), &usage)
        let total =
            1_000 * Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000
            + starterMilliseconds()
        return seen.withLock { last in
            defer { last = total }
            return total - last
        }
    }
    private static let seen = Locked(0.0)

    private static func starterMilliseconds() -> Double {
        guard let starter = DecoderProcesses.starter,
            let text = try? String(contentsOfFile: "/proc/\(starter)/schedstat", encoding: .utf8),
            let nanoseconds = text.split(separator: " ").first.flatMap({ Double($0) })
        else { return 0 }
        return nanoseconds / 1_000_000
    }
}
