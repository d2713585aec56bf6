import CMatching

/// Where a query's features are, as the kernels compare them with `CoarsePlace`.
struct QueryPlaces {
    private let x: [Float]
    private let y: [Float]
    private let scales: [UInt8]
    private let angles: [UInt8]

    init(_ query: FeaturePrint) {
        x = query.features.map { Float($0.x) / Float(CoarsePlace.step) }
        y = query.features.map { Float($0.y) / Float(CoarsePlace.step) }
        scales = query.features.map { CoarsePlace.logarithm($0.scale) }
        angles = query.features.map { UInt8($0.angle >> 8) }
    }

    /// 2^(n/16) for n from 0 to 15.
    static let powersOfOneOctave: [Double] = {
        // The sixteenth root of 2.
        let root = 1.044_273_782_427_413_8
        var powers = [1.0]
        while powers.count < 16 { powers.append(powers[powers.count - 1] * root) }
        return powers
    }()

    /// 2^(n/16) for n from -255 to 255.
    private static let powers: [Float] = (-255...255).map { number in
        let octave = number >= 0 ? number / 16 : (number - 15) / 16
        var power = powersOfOneOctave[number - 16 * octave]
        for _ in 0..<abs(octave) { power *= octave > 0 ? 2 : 0.5 }
        return Float(power)
    }
    /// The cosine of n/256 turn.
    private static let cosines: [Float] = (0..<256).map {
        Float(Elementary.direction(turns: Double($0) / 256).cosine)
    }

    /// Features of the query that agree, by their nearest hits of one picture, on a turn, a scale
    /// and a shift: fast spatial matching (Philbin et al. 2007). Hits of one feature stand together.
    func agreeing(_ hits: UnsafeBufferPointer<cm_hit>, kernel: cm_codes) -> Int {
        x.withUnsafeBufferPointer { x in
            y.withUnsafeBufferPointer { y in
                scales.withUnsafeBufferPointer { scales in
                    angles.withUnsafeBufferPointer { angles in
                        var query = cm_query_places()
                        query.x = x.baseAddress
                        query.y = y.baseAddress
                        query.scales = scales.baseAddress
                        query.angles = angles.baseAddress
                        return Self.agreeing(hits, &query, kernel)
                    }
                }
            }
        }
    }

    private static func agreeing(
        _ hits: UnsafeBufferPointer<cm_hit>, _ query: inout cm_query_places, _ kernel: cm_codes
    ) -> Int {
        powers.withUnsafeBufferPointer { powers in
            cosines.withUnsafeBufferPointer { cosines in
                query.powers = powers.baseAddress
                query.cosines = cosines.baseAddress
                return Int(kernel.agreeing(hits.baseAddress, Int32(hits.count), &query))
            }
        }
    }
}
