import Bytes
import Messages
import Testing

/// Bytes that are an array's or lent.
@Suite struct SharedBytesTests {
    /// Lends memory of its own, and counts how often that is taken back.
    private final class Lender: LentMemory, @unchecked Sendable {
        private let taken: UnsafeMutablePointer<Int>

        init(_ bytes: [UInt8], taken: UnsafeMutablePointer<Int>) {
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: bytes.count, alignment: 1)
            memory.copyBytes(from: bytes)
            self.taken = taken
            super.init(UnsafeRawBufferPointer(memory))
        }

        deinit {
            bytes.deallocate()
            taken.pointee += 1
        }
    }

    @Test func lentBytesReadAsThoseOfAnArray() {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 1) { count in
            count[0] = 0
            guard let taken = count.baseAddress else { return }
            do {
                let lent = SharedBytes(Lender([1, 2, 3, 4], taken: taken))
                let array = SharedBytes([1, 2, 3, 4])
                #expect(lent == array)
                #expect(lent != SharedBytes([1, 2, 3, 5]))
                #expect(lent != SharedBytes([1, 2, 3]))
                #expect(lent.count == 4 && !lent.isEmpty)
                #expect(lent.array == [1, 2, 3, 4])
                #expect(lent[1..<3] == [2, 3] && array[1..<3] == [2, 3])
                #expect(lent[3] == 4 && array[3] == 4)
                #expect(lent.lentMemory != nil && array.lentMemory == nil)
                var bytes: [UInt8] = [0]
                bytes += lent
                bytes += array
                #expect(bytes == [0, 1, 2, 3, 4, 1, 2, 3, 4])
                #expect(taken.pointee == 0)
            }
            #expect(taken.pointee == 1)
        }
        #expect(SharedBytes([]) == [] && SharedBytes([]).isEmpty)
    }

    @Test func aMessageOfLentFramesIsTheSameMessage() throws {
        try withUnsafeTemporaryAllocation(of: Int.self, capacity: 1) { count in
            count[0] = 0
            guard let taken = count.baseAddress else { return }
            var message = Message(
                Header(.final), body: Array("[1,22]".utf8), attachments: [[7], [8, 9]])
            message.fields.attachmentHashes = [[1], [2]].compactMap {
                ContentHash(bytes: $0 + [UInt8](repeating: 0, count: ContentHash.byteCount - 1))
            }
            do {
                let frames = message.frames().map { SharedBytes(Lender($0, taken: taken)) }
                let read = try Message(frames: frames[...])
                #expect(read == message)
                #expect(read.body == message.body && read.attachments == message.attachments)
                #expect(read.frames() == message.frames())
                let item = MergeItem(sortKey: [1], unionKey: [1], json: Array("22".utf8))
                let other = MergeItem(sortKey: [0], unionKey: [0], json: Array("1".utf8))
                let (list, _) = MergeItem.encode([other, item])
                let items = try MergeItem.decode(list: list[...], body: read.sharedBody)
                #expect(items == [other, item])
                #expect(items[1].json == Array("22".utf8))
            }
            #expect(taken.pointee == 4)
        }
    }
}
