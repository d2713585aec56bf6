import Foundation
import Journal
import Messages
import Queue
import TestSupport
import Testing

/// Detached requests on disk: whole or not there, for one process.
@Suite(.timeLimit(.minutes(1)))
struct JobFolderTests {
    private func job(_ number: UInt64, reply: Message? = nil) -> DetachedRequest {
        var request = Message(
            Header(.request, budgetMilliseconds: 60_000), body: Array("{\"n\":\(number)}".utf8),
            attachments: [[1, 2, 3]])
        request.fields.set(.service, text: "image.search")
        request.fields.set(.jobKey, text: "key-\(number)")
        request.fields.attachmentHashes = [ContentHash.of([1, 2, 3])]
        var job = DetachedRequest(
            id: RequestID(high: 7, low: number), key: "key-\(number)", owner: "batch",
            fingerprint: ContentHash.of(request.body), request: request,
            submittedAt: Timestamp(milliseconds: 1_796_000_000_000))
        job.starts = 1
        if let reply {
            job.reply = reply
            job.endedAt = Timestamp(milliseconds: 1_796_000_001_000)
        }
        return job
    }

    private var final: Message {
        Message(Header(.final, flags: .complete), body: Array("[{\"a\":1}]".utf8))
    }

    @Test func whatIsKeptIsReadBackAsItWas() throws {
        try withTemporaryDirectory { path in
            let kept = [job(1), job(2, reply: final), job(3, reply: .error(.badRequest, "no"))]
            let key: [UInt8]
            do {
                let folder = try JobFolder("\(path)/jobs")
                key = folder.key
                for job in kept { try folder.keep(job) }
                // In place of what was kept of it.
                try folder.keep(kept[0])
            }
            let again = try JobFolder("\(path)/jobs")
            #expect(again.key == key && key.count == 32)
            let found = try again.load()
            #expect(found.jobs == kept)
            #expect(found.unreadable.isEmpty)
            let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/jobs")
            #expect((mode[.posixPermissions] as? Int) == 0o700)
        }
    }

    @Test func whatIsForgottenIsGone() throws {
        try withTemporaryDirectory { path in
            let folder = try JobFolder("\(path)/jobs")
            try folder.keep(job(1))
            try folder.keep(job(2))
            try folder.forget(job(1).id)
            try folder.forget(job(1).id)
            #expect(try folder.load().jobs == [job(2)])
        }
    }

    @Test func oneProcessHasTheFolder() throws {
        try withTemporaryDirectory { path in
            let first = try JobFolder("\(path)/jobs")
            let error = #expect(throws: JournalError.self) { try JobFolder("\(path)/jobs") }
            #expect(error?.code == .locked)
            _ = try first.load()
        }
    }

    @Test func damagedFilesAreNamedAndHarmNoOther() throws {
        try withTemporaryDirectory { path in
            let folder = try JobFolder("\(path)/jobs")
            try folder.keep(job(1))
            try folder.keep(job(2, reply: final))
            let name = job(2, reply: final).id.description + ".job"
            let file = "\(path)/jobs/\(name)"
            let whole = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
            var random = SeededRandom(seed: 1)
            for turn in 0..<300 {
                var bytes = whole
                if turn % 2 == 0 {
                    bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
                } else {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                }
                try Data(bytes).write(to: URL(fileURLWithPath: file))
                let found = try folder.load()
                #expect(found.jobs == [job(1)])
                #expect(found.unreadable == [name])
            }
            // What a crash left half written is no file of ours.
            try Data(whole).write(to: URL(fileURLWithPath: file))
            try Data([1, 2]).write(to: URL(fileURLWithPath: "\(path)/jobs/x.job.new"))
            #expect(try folder.load().jobs.count == 2)
            #expect(!FileManager.default.fileExists(atPath: "\(path)/jobs/x.job.new"))
        }
    }
}
