import Matching
import Testing

struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func knownAnswers(text: String, digest: String) {
        #expect(hexadecimal(SHA256.digest(of: Array(text.utf8))) == digest)
    }

    @Test func partsGiveTheDigestOfTheWhole() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: 37) {
            hash.update(Array(bytes[start..<min(start + 37, bytes.count)]))
        }
        #expect(hash.finish() == SHA256.digest(of: bytes))
    }
}

/// Bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
