import Calendar
import Foundation

/// Names in titles: both modes beside the plain loop over Foundation's call.
enum NamesBench {
    /// The loop takes seconds a title, so that a few stand for all.
    private static let loopTitles = 2

    static func beside(_ names: [String], _ titles: [String], rounds: Int) {
        let index = NameIndex(names: names)
        let matcher = NameMatcher(names: names, locale: nil)
        var (whole, contained, loop) = ([Double](), [Double](), [Double]())
        var found = (whole: 0, contained: 0, loop: 0)
        for round in 0..<rounds {
            found = (0, 0, found.loop)
            whole.append(perTitle(titles) { found.whole += index.matches(in: $0).count })
            contained.append(
                perTitle(titles[..<min(2_000, titles.count)]) {
                    found.contained += matcher.matches(title: $0).count
                })
            let start = round * loopTitles % max(1, titles.count - loopTitles)
            loop.append(
                perTitle(titles[start..<start + loopTitles]) { title in
                    for name in names where title.localizedCaseInsensitiveContains(name) {
                        found.loop += 1
                    }
                })
        }
        var table = MarkdownTable(
            "\(names.count) names, a title of \(titles.count)", "CPU µs", "loop to this")
        table.add(
            "names", Figure.of(Measures.median(whole)),
            Figure.ofRatios(Measures.ratios(loop, whole)))
        table.add(
            "contains", Figure.of(Measures.median(contained)),
            Figure.ofRatios(Measures.ratios(loop, contained)))
        table.add("loop of localizedCaseInsensitiveContains", Figure.of(Measures.median(loop)), "")
        print(table.text + "\n")
    }

    static func growth(_ titles: [String]) {
        var table = MarkdownTable(
            "names", "build CPU ms", "MiB", "names: µs a title", "contains: µs a title")
        for size in [1_000, 10_000, 100_000] {
            let names = DrawnNames.names(size, seed: 3)
            var index = NameIndex()
            let build = CalendarBench.milliseconds { index = NameIndex(names: names) }
            let matcher = NameMatcher(names: names, locale: nil)
            let whole = perTitle(titles) { _ = index.matches(in: $0) }
            let contained = perTitle(titles.prefix(2_000)) { _ = matcher.matches(title: $0) }
            table.add(
                Figure.of(Double(size), digits: 0), Figure.of(build),
                Figure.of(Double(index.bytes) / 1_048_576), Figure.of(whole),
                Figure.of(contained))
        }
        print(table.text + "\n")
    }

    /// Processor microseconds a title.
    private static func perTitle(
        _ titles: some Collection<String>, _ body: (String) -> Void
    ) -> Double {
        let time = CalendarBench.milliseconds { for title in titles { body(title) } }
        return time * 1_000 / Double(max(1, titles.count))
    }
}
