extension NameIndex {
    /// The names that count as being in a title, in order of their place.
    ///
    /// Of names that overlap the longest counts; of equally long ones the first. Several names of
    /// the same letters all count.
    ///
    /// - Parameters:
    ///   - title: at most 4,096 letters of it are looked at.
    ///   - evidence: what else is known of the event.
    public func matches(in title: String, evidence: MatchEvidence = .init()) -> [NameMatch] {
        judged(title, evidence, explains: false).filter(\.isMatch)
    }

    /// As `matches`, and the names that are words of the title but do not count.
    public func considered(
        in title: String, evidence: MatchEvidence = .init()
    ) -> [NameMatch] {
        judged(title, evidence, explains: false)
    }

    /// As `considered`, and every other name whose letters stand in the title, with why it does not
    /// count; takes as long as reading the title letter by letter does.
    public func explained(in title: String, evidence: MatchEvidence = .init()) -> [NameMatch] {
        judged(title, evidence, explains: true)
    }

    private func judged(
        _ title: String, _ evidence: MatchEvidence, explains: Bool
    ) -> [NameMatch] {
        let symbols = symbolNames(in: title).map { found in
            NameMatch(id: found.id, place: found.place, signal: nil, rejection: nil)
        }
        let letters = TitleLetters(title)
        guard letters.count > 0, letters.count <= Self.titleLettersMax else { return symbols }
        let edges = TitleEdges(letters)
        let found = found(
            in: letters,
            isStart: { letters.isFirst[$0] && (explains || edges.starts[$0] != .none) },
            isEnd: {
                ($0 == letters.count || letters.isFirst[$0])
                    && (explains || edges.ends[$0] != .none)
            })
        guard !found.isEmpty else { return symbols }
        let judge = NameJudge(title: title, letters: letters, edges: edges, evidence: evidence)
        let matches = judge.judged(found)
        return (symbols + matches).sorted {
            ($0.place.lowerBound, -$0.place.count, $0.id)
                < ($1.place.lowerBound, -$1.place.count, $1.id)
        }
    }

    private static let titleLettersMax = 4_096
}

/// Decides which of the names that stand in one title count.
struct NameJudge {
    let title: String
    let letters: TitleLetters
    let edges: TitleEdges
    let evidence: MatchEvidence

    /// Every name with its verdict, in no order.
    func judged(_ found: [NameIndex.Found]) -> [NameMatch] {
        let longestFirst = found.sorted {
            ($1.range.count, $0.range.lowerBound) < ($0.range.count, $1.range.lowerBound)
        }
        var taken: [Range<Int>] = []
        return longestFirst.map { name in
            var (signal, rejection) = verdict(name)
            let isCovered = taken.contains { $0 != name.range && $0.overlaps(name.range) }
            if isCovered && rejection != .insideWord {
                (signal, rejection) = (nil, .insideLongerName)
            } else if rejection == nil {
                taken.append(name.range)
            }
            return match(name, signal, rejection)
        }
    }

    // MARK: Verdicts

    private func verdict(
        _ name: NameIndex.Found
    ) -> (signal: NameMatch.Signal?, rejection: NameMatch.Rejection?) {
        let edge = min(edges.starts[name.range.lowerBound], edges.ends[name.range.upperBound])
        guard edge != .none else { return (nil, .insideWord) }
        if edge == .soft, !standsAlone(name.range) { return (nil, .uncertainEdge) }
        guard let rejection = name.strength.rejection else { return (nil, nil) }
        guard let signal = signal(for: name) else { return (nil, rejection) }
        return (signal, nil)
    }

    /// Whether a name in a script without spaces is long enough to be no part of another word.
    private func standsAlone(_ range: Range<Int>) -> Bool {
        let scripts = letters.scalars[range].map(TitleScript.init)
        return range.count >= (scripts.map(\.lengthThatStandsAlone).min() ?? .max)
    }

    // MARK: Signals

    private func signal(for name: NameIndex.Found) -> NameMatch.Signal? {
        if name.range.count == letters.count { return .wholeTitle }
        if evidence.concerts.contains(name.id) { return .concert }
        if hasContextWord(besides: name.range) { return .contextWord }
        if hasPlace(behind: name.range) { return .place }
        if isWrittenAsAName(name.range) { return .capitals }
        return evidence.isAtVenue ? .venue : nil
    }

    private func hasContextWord(besides range: Range<Int>) -> Bool {
        if letters.words.contains(where: {
            !$0.overlaps(range) && ContextWords.contains(letters.scalars[$0])
        }) {
            return true
        }
        return ContextWords.unspaced(in: letters.scalars).contains { !$0.overlaps(range) }
    }

    /// Whether the match is an article and a word, each with a capital, in a title that has small
    /// letters too.
    private func isWrittenAsAName(_ range: Range<Int>) -> Bool {
        let words = letters.words.filter { range.contains($0.lowerBound) }
        guard words.count == 2, Articles.contains(letters.scalars[words[0]]) else { return false }
        guard title.contains(where: \.isLowercase) else { return false }
        return words.allSatisfy { word in
            let place = letters.places[word.lowerBound]
            return String(decoding: utf8(place), as: UTF8.self).first?.isUppercase == true
        }
    }

    /// Whether "at Olympia" or "@ the Olympia" follows: a capital letter that begins no common word.
    private func hasPlace(behind range: Range<Int>) -> Bool {
        let words = letters.words
        var next = range.upperBound
        guard next < letters.count else { return false }
        let between = letters.places[next - 1].upperBound..<letters.places[next].lowerBound
        if !utf8(between).contains(UInt8(ascii: "@")) {
            guard let word = words.first(where: { $0.lowerBound == next }),
                letters.scalars[word].elementsEqual([0x61, 0x74])
            else { return false }
            next = word.upperBound
        }
        if let article = words.first(where: { $0.lowerBound == next }),
            Articles.contains(letters.scalars[article])
        {
            next = article.upperBound
        }
        guard let place = words.first(where: { $0.lowerBound == next }) else { return false }
        let text = String(decoding: utf8(letters.places[next]), as: UTF8.self)
        return text.first?.isUppercase == true && !CommonWords.contains(letters.scalars[place])
    }

    private func match(
        _ name: NameIndex.Found, _ signal: NameMatch.Signal?, _ rejection: NameMatch.Rejection?
    ) -> NameMatch {
        let first = letters.places[name.range.lowerBound].lowerBound
        let last = letters.places[name.range.upperBound - 1].upperBound
        return NameMatch(id: name.id, place: first..<last, signal: signal, rejection: rejection)
    }

    private func utf8(_ range: Range<Int>) -> ArraySlice<UInt8> {
        guard range.lowerBound < range.upperBound else { return [] }
        return Array(title.utf8)[range]
    }
}
