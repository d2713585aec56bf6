import Foundation
import Raster
import TestSupport
import Testing

/// Decoders in processes of their own: how these are made, and how they end. Not for the thread
/// sanitizer, which ends a copied process that starts a thread, as libde265 does.
struct DecoderProcessTests {
    private static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
        bufferedPixelsMax: 50_000_000)

    private static func fixture(_ name: String) throws -> [UInt8] {
        try PackageRoot.bytes("Tests/RasterTests/Fixtures/" + name)
    }

    private static func read(_ name: String) throws -> Bitmap {
        try Picture.decode(.encoded(try fixture(name)), maxSide: 640, limits: limits)
    }

    /// Whether a process has ended, or has and was not collected; waits for it for some seconds.
    private static func ends(_ process: Int) -> Bool {
        for _ in 0..<1_000 {
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            // The state comes behind the program's name.
            guard let text, !text.contains(") Z ") else { return true }
            usleep(10_000)
        }
        return false
    }

    /// Bytes of memory that only this process has.
    private static func ownMemory(_ process: Int) throws -> Int {
        let rollup = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        let line = try #require(rollup.split(separator: "\n").first { $0.hasPrefix("Rss:") })
        return 1_024 * (Int(line.split(whereSeparator: \.isWhitespace)[1]) ?? 0)
    }

    @Test func aStoppedDecoderIsNotWaitedFor() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let bytes = try DecoderProcessTests.fixture("plain.heic")
            let limits = PictureLimits(
                encodedBytesMax: 1 << 20, sideMax: 10_000, pixelsMax: 1_000_000,
                bufferedPixelsMax: 1_000_000)
            var stopped = 0
            // At the first question, one process is left to itself; from then on, some at a time.
            for round in 1...80 {
                do throws(RasterError) {
                    _ = try Picture.decode(
                        .encoded(bytes), maxSide: 64, limits: limits, shouldStop: { true })
                } catch {
                    if error.code == .stopped { stopped += 1 }
                }
                // A process that was killed is never waited for here, and later ones collect it.
                guard (1...64).contains(DecoderProcesses.killed) else { exit(1) }
                guard round > 1 || DecoderProcesses.killed == 1 else { exit(2) }
            }
            guard stopped == 80 else { exit(3) }
            usleep(200_000)
            _ = try Picture.decode(.encoded(bytes), maxSide: 64, limits: limits)
            exit(DecoderProcesses.killed == 0 ? 0 : 4)
        }
    }

    @Test func aDecoderIsACopyOfWhatWasSmall() async {
        await #expect(processExitsWith: .exitCode(0)) {
            DecoderProcesses.prepare()
            guard let starter = DecoderProcesses.starter else { exit(1) }
            let ballast = [UInt8](repeating: 1, count: 400 << 20)
            _ = try DecoderProcessTests.read("plain.heic")
            guard DecoderProcesses.starter == starter, ballast[ballast.count - 1] == 1,
                try DecoderProcessTests.ownMemory(starter) < 300 << 20
            else { exit(2) }
            exit(0)
        }
    }

    @Test func aStarterThatWasKilledIsReplaced() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let first = try DecoderProcessTests.read("plain.heic")
            guard let starter = DecoderProcesses.starter else { exit(1) }
            kill(pid_t(starter), SIGKILL)
            guard DecoderProcessTests.ends(starter) else { exit(2) }
            let second = try DecoderProcessTests.read("plain.heic")
            exit(first == second && DecoderProcesses.starter != starter ? 0 : 3)
        }
    }

    @Test func theStarterEndsWithItsOrigin() async throws {
        let result = await #expect(
            processExitsWith: .signal(SIGKILL), observing: [\.standardErrorContent]
        ) {
            _ = try DecoderProcessTests.read("plain.avif")
            let line = "starter \(DecoderProcesses.starter ?? 0) of \(getpid())\n"
            FileHandle.standardError.write(Data(line.utf8))
            kill(getpid(), SIGKILL)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let words = said.split(whereSeparator: \.isWhitespace)
        let place = try #require(words.firstIndex(of: "starter"))
        let starter = try #require(Int(words[place + 1]))
        #expect(starter > 1)
        #expect(Self.ends(starter))
    }

    @Test func manyThreadsHaveOneStarter() async throws {
        let expected = try Self.read("plain.heic")
        let starter = DecoderProcesses.starter
        try await withThrowingTaskGroup(of: Bitmap.self) { group in
            for _ in 0..<16 { group.addTask { try Self.read("plain.heic") } }
            for try await bitmap in group { #expect(bitmap == expected) }
        }
        #expect(DecoderProcesses.starter == starter)
    }
}
