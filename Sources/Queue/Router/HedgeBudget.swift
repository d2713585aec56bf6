/// How many second attempts a part of a service may have: so many for a thousand first ones, and
/// a few saved up.
///
/// Whole thousandths, so that equal runs give equal decisions.
struct HedgeBudget: Sendable {
    private let perThousand: UInt32
    private let savedMax: UInt32
    private var thousandths: UInt32
    private static let one: UInt32 = 1_000

    init(perThousand: UInt32, savedMax: UInt32) {
        self.perThousand = perThousand
        self.savedMax = savedMax
        thousandths = 0
    }

    /// A first attempt was made.
    mutating func earn() {
        thousandths = min(thousandths + perThousand, Self.one * savedMax)
    }

    /// Pays for a second attempt; false if there is not enough.
    mutating func pay() -> Bool {
        guard thousandths >= Self.one else { return false }
        thousandths -= Self.one
        return true
    }
}
