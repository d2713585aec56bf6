import Messages
import TestSupport
import Testing

/// What the strict parser reads and refuses.
@Suite(.timeLimit(.minutes(2)))
struct JSONParserTests {
    private static func parse(_ text: String) throws(JSONError) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    @Test func documentsOfEveryKindAreRead() throws {
        let text = #" { "a" : [ 1 , -2.5e3 , true , false , null , "x" ] , "b" : { } , "c":[] } "#
        let expected = JSONValue.object([
            "a": .array([
                .number(1), .number(-2500), .bool(true), .bool(false), .null, .string("x"),
            ]),
            "b": .object([:]), "c": .array([]),
        ])
        #expect(try Self.parse(text) == expected)
    }

    @Test(arguments: [
        ("0", 0.0), ("-0", 0.0), ("9007199254740993", 9_007_199_254_740_992.0), ("1E+2", 100.0),
        ("0.1", 0.1), ("1e-400", 0.0), ("123456789012345678901234567890", 1.2345678901234568e29),
        ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
        ("5e-324", Double.leastNonzeroMagnitude),
        ("333333333.33333329", 333333333.33333329), ("999999999999999", 999_999_999_999_999.0),
    ])
    func numberIsTheNearestDouble(_ text: String, _ number: Double) throws {
        #expect(try Self.parse(text) == .number(number))
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00fC""#, "ü"),
        (#""\ud83d\uDE00""#, "😀"), (#""x\u0301""#, "x\u{301}"), (#""\u0000""#, "\0"),
        (#""\uFFFF\uE000\uD7FF""#, "\u{FFFF}\u{E000}\u{D7FF}"),
        ("\"𝄞\u{7F}\u{2028}\"", "𝄞\u{7F}\u{2028}"),
    ])
    func textIsReadWithItsEscapes(_ text: String, _ expected: String) throws {
        let read = try Self.parse(text).text
        #expect(read.map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(arguments: [
        "", " ", "{", "[", "]", "}", "[1", "[1,", "[1,]", "[,1]", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[1 2]",
        "1 2",
        "nul", "nulll", "True", "truefalse", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5",
        "1e", "1e+", "0x10", "1e400", "-1e400", "\"", "\"a", "\"\\", "\"\\\"", "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800\\ud800\"",
        "\"\\ud800x\"", "\"\\udc00\\ud800\"", "\"a\nb\"", "\"a\tb\"", "\"\0\"", "'a'", "/**/1",
        "1//",
        "\u{FEFF}1", "[1]]", "\u{A0}1", "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}",
        "[{\"x\":{\"b\":1,\"c\":2,\"b\":3}}]", "{\"\u{E9}\":1,\"e\u{301}\":2}",
    ])
    func anythingElseIsRefused(_ text: String) {
        let error = #expect(throws: JSONError.self) { try Self.parse(text) }
        #expect(error?.description.isEmpty == false)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0xFF],
            [0x5B, 0x80, 0x5D],
        ] as [[UInt8]])
    func bytesThatAreNoUTF8AreRefused(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }

    @Test func faultsNameTheirPlace() {
        let error = #expect(throws: JSONError.self) {
            try Self.parse("{\"ab\":1,\"ab\":2}")
        }
        #expect(error?.description.contains("twice (byte 8)") == true)
    }

    @Test func nestingIsBounded() throws {
        let most = Limits.jsonDepthMax
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(try Self.parse(nested(most)).array?.count == 1)
        let error = #expect(throws: JSONError.self) { try Self.parse(nested(most + 1)) }
        #expect(error?.description.contains("\(most) levels") == true)
        // Far too deep for a recursive parser without a bound.
        #expect(throws: JSONError.self) {
            try Self.parse(String(repeating: "[{\"a\":", count: 300_000))
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func canonicalFormIsReadAsTheSameDocument(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<25 {
            let value = Self.value(&random, depth: 4)
            let bytes = value.canonical()
            let read = try JSONValue(parsing: bytes)
            #expect(read == value)
            #expect(read.canonical() == bytes)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func noInputTraps(seed: UInt64) {
        var random = SeededRandom(seed: 900 + seed)
        let signs =
            Array("{}[]\",:\\u0123456789abcdefEtrunlsD8+-. \n".utf8) + [0, 0x80, 0xC3, 0xFF]
        var accepted = 0
        for _ in 0..<1_000 {
            var bytes = Self.value(&random, depth: 3).canonical()
            for _ in 0..<Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let sign = signs.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = sign
                case 1: bytes.insert(sign, at: place)
                default: bytes.removeLast(bytes.count - place)
                }
            }
            guard let value = try? JSONValue(parsing: bytes) else { continue }  // refused: fine
            accepted += 1
            // What is accepted has one canonical form.
            #expect((try? JSONValue(parsing: value.canonical())) == value)
        }
        #expect((1..<1_000).contains(accepted))
    }

    private static func value(_ random: inout SeededRandom, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int.random(in: -1_000...1_000, using: &random))
        case 3:
            let number = Double(bitPattern: random.next())
            return .number(number.isFinite ? number : 0.5)
        case 4: return .string(text(&random))
        case 5, 6:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    value(&random, depth: depth - 1)
                })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                members[text(&random)] = value(&random, depth: depth - 1)
            }
            return .object(members)
        }
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "\"", "\\", "\u{0}", "\u{1F}", "\n", "ü", "\u{301}", "\u{FB33}", "😀",
            "\u{7F}", "\u{FFFF}", "/",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            text.append(scalars.randomElement(using: &random) ?? "a")
        }
        return String(text)
    }
}
