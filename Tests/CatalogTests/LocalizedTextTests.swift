import Catalog
import Testing

struct LocalizedTextTests {
    private static let text = LocalizedText.byLanguage([
        "en": "Concert", "de": "Konzert", "pt-BR": "Show", "zh-Hant": "音樂會",
    ])

    @Test(arguments: [
        (nil, "Concert"), ("", "Concert"), ("de", "Konzert"), ("de_AT", "Konzert"),
        ("DE-at", "Konzert"), ("de_DE.UTF-8", "Konzert"), ("de@calendar=iso8601", "Konzert"),
        ("pt_BR", "Show"), ("pt", "Concert"), ("zh-Hant-TW", "音樂會"), ("zh", "Concert"),
        ("fr_FR", "Concert"), ("deu", "Concert"), ("en_US_POSIX", "Concert"),
    ])
    func localeChoosesByLookup(locale: String?, expected: String) {
        #expect(Self.text.text(locale: locale) == expected)
    }

    @Test func withoutEnglishTheFirstLanguageStandsIn() {
        let text = LocalizedText.byLanguage(["sv": "Konsert", "fi": "Konsertti"])
        #expect(text.text(locale: "ja") == "Konsertti")
    }

    @Test func plainTextIsForEveryLocale() {
        #expect(LocalizedText.plain("x").text(locale: "ja") == "x")
    }
}
