import Messages
import Testing

/// RFC 8785: one form for each document.
@Suite(.timeLimit(.minutes(1)))
struct CanonicalJSONTests {
    /// By bit pattern, so that the literal's own rounding plays no part: values of RFC 8785,
    /// appendix B, and the edges of ECMAScript's forms.
    @Test(
        arguments: [
            (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
            (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
            (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
            (0xC3E0_0000_0000_0000, "-9223372036854776000"),
            (0x43E0_0000_0000_0000, "9223372036854776000"),
            (0x433F_FFFF_FFFF_FFFF, "9007199254740991"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xC340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
            (0x44B5_2D02_C7E1_4AF6, "1e+23"), (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
            (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
            (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
            (0x444B_1AE4_D6E2_EF50, "1e+21"), (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
            (0x3EB0_C6F7_A0B5_ED8D, "0.000001"), (0x41B3_DE43_5555_5553, "333333333.3333332"),
            (0x41B3_DE43_5555_5554, "333333333.33333325"),
            (0x41B3_DE43_5555_5555, "333333333.3333333"),
            (0x41B3_DE43_5555_5556, "333333333.3333334"),
            (0x41B3_DE43_5555_5557, "333333333.33333343"),
            (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
            (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
        ] as [(UInt64, String)])
    func numberIsWrittenAsECMAScriptDoes(_ bits: UInt64, _ text: String) {
        #expect(Self.canonical(.number(Double(bitPattern: bits))) == text)
    }

    @Test(
        arguments: [
            (1e21, "1e+21"), (1e-7, "1e-7"), (0.000001, "0.000001"), (-0.0, "0"), (100, "100"),
            (333333333.33333329, "333333333.3333333"), (1e20, "100000000000000000000"),
            (0.5, "0.5"),
            (123.456, "123.456"), (-1.5e-10, "-1.5e-10"), (4.35, "4.35"), (1e-6, "0.000001"),
            (1.1e21, "1.1e+21"), (0.1, "0.1"), (2_000_000, "2000000"), (1e16, "10000000000000000"),
            (Double.infinity, "null"), (Double.nan, "null"),
        ] as [(Double, String)])
    func commonNumbersAreWrittenShortest(_ number: Double, _ text: String) {
        #expect(Self.canonical(.number(number)) == text)
    }

    @Test func namesStandInTheOrderOfTheirUTF16CodeUnits() throws {
        // The emoji's first surrogate (D83D) stands before FB33, its scalar behind it.
        let names = ["\u{20AC}", "\r", "\u{FB33}", "1", "\u{1F600}", "\u{80}", "\u{F6}", "", "10"]
        let value = JSONValue.object(
            Dictionary(uniqueKeysWithValues: names.map { ($0, JSONValue.null) }))
        let order = ["", "\\r", "1", "10", "\u{80}", "\u{F6}", "\u{20AC}", "\u{1F600}", "\u{FB33}"]
        let expected = "{" + order.map { "\"\($0)\":null" }.joined(separator: ",") + "}"
        #expect(Self.canonical(value) == expected)
    }

    @Test func onlyWhatMustBeEscapedIs() {
        let text = "\u{20AC}$\u{F}\nA'\"B\\/\u{7F}\u{2028}\u{8}\u{C}\t\u{1F}"
        #expect(
            Self.canonical(.string(text))
                == "\"\u{20AC}$\\u000f\\nA'\\\"B\\\\/\u{7F}\u{2028}\\b\\f\\t\\u001f\"")
    }

    @Test func whiteSpaceAndEscapesOfTheSourceDoNotShow() throws {
        let source = " { \"b\" : [ 1.0 , 1E1 ] , \"\\u0061\" : \"\\u00e4\\/\" } "
        let value = try JSONValue(parsing: Array(source.utf8))
        #expect(Self.canonical(value) == "{\"a\":\"\u{E4}/\",\"b\":[1,10]}")
    }

    @Test func textIsNeverNormalized() throws {
        let value = try JSONValue(parsing: Array("\"e\u{301}\u{E9}\"".utf8))
        #expect(value.canonical() == Array("\"e\u{301}\u{E9}\"".utf8))
    }

    @Test func integersAreExactOrNone() {
        #expect(JSONValue.number(9_007_199_254_740_991).integer == 9_007_199_254_740_991)
        #expect(JSONValue.number(9_007_199_254_740_992).integer == nil)
        #expect(JSONValue.number(1.5).integer == nil)
        #expect(JSONValue.number(-3).integer == -3)
        #expect(JSONValue.string("3").integer == nil)
        #expect(JSONValue.number(1e300).integer == nil)
    }

    private static func canonical(_ value: JSONValue) -> String {
        String(decoding: value.canonical(), as: UTF8.self)
    }
}
