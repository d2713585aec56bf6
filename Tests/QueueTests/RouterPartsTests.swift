import Messages
import Queue
import Testing

/// Services that are split over several workers.
@Suite struct RouterPartsTests {
    private static let prepare = ServiceOffer(service: "search.prepare")

    private static func final(_ sent: [Sent]) -> Message? { sent.of(.final).first?.message }

    /// A request with a picture.
    private static func pictureRequest(_ id: UInt64 = 1) -> Message {
        var message = Message.request(id)
        message.fields.attachmentHashes = [hash(9)]
        message.attachments = [[9, 9]]
        return message
    }

    @Test func slotsThatNobodyOffersAreMissing() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, offers: [search("slots=0-15"), search("slots=40-63")])
        _ = worker
        bench.joinWorker(2, offers: [search("slots=0-15"), search("slots=40-63")])
        let requests = bench.receive(.request(1), from: client).of(.request)
        #expect(requests.count == 2)
        var sent: [Sent] = []
        for request in requests {
            let part = try #require(request.message.fields.text(.part))
            let found = [item([UInt8(part.count)], [UInt8(part.count)], "1")]
            sent += bench.receive(.result(.final, request.id, found), from: request.peer)
        }
        let final = try #require(Self.final(sent))
        #expect(!final.header.flags.contains(.complete))
        #expect(final.fields.missing == ["slots=16-39"])
        #expect(final.fields.integer(.partsTotal, as: UInt32.self) == 3)
        #expect(final.fields.integer(.partsAnswered, as: UInt32.self) == 2)
    }

    @Test func slotsThatOthersHaveAreNotMissedWhenAWorkerLeaves() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let whole = bench.joinWorker(1, offers: [search()])
        bench.joinWorker(2, offers: [search("slots=0-31")])
        bench.joinWorker(3, offers: [search("slots=32-63")])
        _ = bench.receive(Message(Header(.bye)), from: whole)
        let requests = bench.receive(.request(1), from: client).of(.request)
        #expect(
            Set(requests.compactMap { $0.message.fields.text(.part) })
                == ["slots=0-31", "slots=32-63"])
        var sent: [Sent] = []
        for request in requests {
            sent += bench.receive(.result(.final, request.id, []), from: request.peer)
        }
        #expect(try #require(Self.final(sent)).header.flags.contains(.complete))
    }

    @Test func ofThoseThatLeftTheSmallestRangesAreNamed() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let whole = bench.joinWorker(1, offers: [search()])
        let low = bench.joinWorker(2, offers: [search("slots=0-31")])
        let high = bench.joinWorker(3, offers: [search("slots=32-63")])
        for peer in [whole, high] { _ = bench.receive(Message(Header(.bye)), from: peer) }
        let request = try #require(
            bench.receive(.request(1, budget: 300), from: client).of(.request).first)
        var sent = bench.receive(.result(.final, request.id, []), from: low)
        sent += bench.pass(400, living: [client, low])
        #expect(try #require(Self.final(sent)).fields.missing == ["slots=32-63"])
    }

    @Test func aSlotWhoseWorkerLeftIsMissedForAWhileAndThenToo() throws {
        var bench = RouterBench { $0.partMemoryMilliseconds = 2_000 }
        let client = bench.joinClient(1)
        let first = bench.joinWorker(1, offers: [search("slots=0-31")])
        let second = bench.joinWorker(2, offers: [search("slots=32-63")])
        _ = bench.receive(Message(Header(.bye)), from: second)
        for wait in [UInt64(0), 3_000] {
            _ = bench.pass(wait, living: [client, first])
            let id = UInt64(10 + wait)
            let request = try #require(
                bench.receive(.request(id, budget: 300), from: client).of(.request).first)
            var sent = bench.receive(
                .result(.final, request.id, [item([1], [1], "1")]), from: first)
            sent += bench.pass(400, living: [client, first])
            let final = try #require(Self.final(sent))
            #expect(final.fields.missing == ["slots=32-63"])
            #expect(text(final.body) == "[1]")
        }
    }

    @Test func aPictureIsPreparedOnceAndThenMatchedEverywhere() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1, offers: [search("slots=0-31"), Self.prepare], credit: 2)
        bench.joinWorker(2, offers: [search("slots=32-63"), Self.prepare], credit: 2)
        let first = bench.receive(Self.pictureRequest(), from: client).of(.request)
        #expect(first.count == 1)
        let preparing = try #require(first.first)
        #expect(preparing.message.fields.text(.service) == "search.prepare")
        #expect(preparing.message.fields.text(.part) == nil)
        #expect(preparing.message.attachments == [[9, 9]])

        let query: (ContentHash, [UInt8]) = (hash(77), [7, 7, 7])
        let matching = bench.receive(
            .result(.final, preparing.id, [], attachments: [query]), from: preparing.peer
        ).of(.request)
        #expect(matching.count == 2)
        for request in matching {
            #expect(request.message.fields.text(.service) == "image.search")
            #expect(request.message.fields[.preparedQuery] == hash(77).bytes)
            #expect(request.message.fields.attachmentHashes == [hash(77)])
            #expect(request.message.attachments == [[7, 7, 7]])
            #expect(text(request.message.body) == "{}")
        }
        var sent: [Sent] = []
        for (number, request) in matching.enumerated() {
            let found = [item([UInt8(number)], [UInt8(number)], "\(number)")]
            sent += bench.receive(.result(.final, request.id, found), from: request.peer)
        }
        let final = try #require(Self.final(sent))
        #expect(final.header.flags.contains(.complete))
        #expect(final.fields.integer(.partsTotal, as: UInt32.self) == 2)
        #expect(text(final.body) == "[0,1]")
        #expect(final.attachments.isEmpty)
        let diagnostics = try JSONValue(parsing: try #require(final.diagnostics))
        #expect(
            diagnostics["parts"]?.array?.compactMap { $0["part"]?.text }
                == ["search.prepare", "slots=0-31", "slots=32-63"])
        #expect(bench.router.dispatchCount == 0)
    }

    @Test func whoPreparesAndStandsStillHoldsNobodyUp() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let first = bench.joinWorker(
            1, offers: [search("slots=0-31"), Self.prepare], credit: 2)
        let second = bench.joinWorker(
            2, offers: [search("slots=32-63"), Self.prepare], credit: 2)
        var request = Self.pictureRequest()
        request.header.budgetMilliseconds = 400
        let asked = bench.receive(request, from: client).of(.request)
        let stalled = try #require(asked.first)
        // Half of the time is over: both parts get the picture as it came.
        var sent = bench.pass(210, living: [client, first, second])
        #expect(sent.of(.cancel).map(\.id) == [stalled.id])
        let raw = sent.of(.request)
        #expect(raw.count == 2)
        #expect(raw.allSatisfy { $0.message.attachments == [[9, 9]] })
        #expect(raw.allSatisfy { $0.message.fields[.preparedQuery] == nil })
        let living = try #require(raw.first { $0.peer != stalled.peer })
        sent = bench.receive(
            .result(.final, living.id, [item([1], [1], "1")]), from: living.peer)
        sent += bench.pass(300, living: [client, first, second])
        let final = try #require(Self.final(sent))
        #expect(text(final.body) == "[1]")
        #expect(final.fields.missing.count == 1)
        // What the first one prepares after all is late.
        let late: (ContentHash, [UInt8]) = (hash(77), [7])
        #expect(
            bench.receive(
                .result(.final, stalled.id, [], attachments: [late]), from: stalled.peer
            ).isEmpty)
    }

    @Test func aRequestThatWaitsToBePreparedNamesAllParts() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let first = bench.joinWorker(
            1, offers: [search("slots=0-31"), Self.prepare], credit: 0)
        let second = bench.joinWorker(
            2, offers: [search("slots=32-63"), Self.prepare], credit: 0)
        var request = Self.pictureRequest()
        request.header.budgetMilliseconds = 300
        #expect(bench.receive(request, from: client).of(.request).isEmpty)
        let sent = bench.pass(400, living: [client, first, second])
        let final = try #require(Self.final(sent))
        #expect(final.fields.missing == ["slots=0-31", "slots=32-63"])
        #expect(final.fields.integer(.partsAnswered, as: UInt32.self) == 0)
        #expect(bench.router.waitingCount == 0)
    }

    @Test func aPictureThatCannotBeReadIsTheClientsToHear() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1, offers: [search("slots=0-31"), Self.prepare])
        bench.joinWorker(2, offers: [search("slots=32-63"), Self.prepare])
        let asked = bench.receive(Self.pictureRequest(), from: client).of(.request)
        let request = try #require(asked.first)
        let sent = bench.receive(
            .error(.badPicture, "no picture", requestID: request.id), from: request.peer)
        #expect(sent.of(.error, to: client).first?.message.errorCode == .badPicture)
        #expect(bench.router.inFlightCount == 0)
    }

    @Test(arguments: [(nil, true), (50, true), (51, false), (100, false)] as [(UInt32?, Bool)])
    func aClientMayDemandAShare(least: UInt32?, isAnswered: Bool) throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let first = bench.joinWorker(1, offers: [search("slots=0-31")])
        let second = bench.joinWorker(2, offers: [search("slots=32-63")])
        var message = Message.request(1, budget: 300)
        message.fields.set(.leastShare, integer: least)
        let requests = bench.receive(message, from: client).of(.request)
        let own = try #require(requests.first { $0.peer == first })
        var sent = bench.receive(
            .result(.final, own.id, [item([1], [1], "1")]), from: first)
        sent += bench.pass(400, living: [client, first, second])
        if isAnswered {
            #expect(Self.final(sent)?.fields.missing == ["slots=32-63"])
        } else {
            let error = try #require(sent.of(.error, to: client).first?.message)
            #expect(error.errorCode == .incomplete)
            let said = try #require(error.fields.text(.errorText))
            #expect(said.contains("50 % answered") && said.contains("slots=32-63"))
        }
    }

    @Test func aShareThatIsNoneIsRefused() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        for share in [UInt32(0), 101] {
            var message = Message.request(UInt64(share) + 1)
            message.fields.set(.leastShare, integer: share)
            let sent = bench.receive(message, from: client)
            #expect(sent.of(.error).first?.message.errorCode == .badRequest)
        }
    }
}
