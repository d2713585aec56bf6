import Matching
import Testing

/// The functions that stand in for a libm's, at points whose values are known exactly.
struct ElementaryTests {
    @Test(
        arguments: [
            (0, 1), (1, 0.367_879_441_171_442_33), (0.5, 0.606_530_659_712_633_4),
            (10, 4.539_992_976_248_485e-05), (800, 0),
        ] as [(Double, Double)])
    func exponentialOfMinusIsClose(x: Double, expected: Double) {
        let value = Elementary.exponentialOfMinus(x)
        #expect(abs(value - expected) <= expected * 1e-11)
    }

    @Test(
        arguments: [
            (0.0, 1.0, 0.0), (0.125, 0.707_106_781_186_547_5, 0.707_106_781_186_547_5),
            (0.25, 0, 1), (0.5, -1, 0), (0.75, 0, -1), (1.0 / 12, 0.866_025_403_784_438_6, 0.5),
            (0.999_999, 0.999_999_999_980_260_8, -0.000_006_283_185_307_138_24),
        ] as [(Double, Double, Double)])
    func directionIsClose(turns: Double, cosine: Double, sine: Double) {
        let direction = Elementary.direction(turns: turns)
        #expect(abs(direction.cosine - cosine) < 1e-14)
        #expect(abs(direction.sine - sine) < 1e-14)
    }
}
