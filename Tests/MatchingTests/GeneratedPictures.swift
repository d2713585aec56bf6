import Matching

/// SplitMix64: the same pictures on every machine.
struct Sequence64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// Pictures of random rectangles and ellipses, and views of them.
enum GeneratedPictures {
    /// A picture that differs for each seed.
    static func shapes(
        seed: UInt64, width: Int = 320, height: Int = 240, count: Int = 90
    ) -> GrayImage {
        var random = Sequence64(state: seed)
        var pixels = [UInt8](repeating: 128, count: width * height)
        for _ in 0..<count {
            let (left, top) = (random.next(below: width), random.next(below: height))
            let right = min(width, left + 6 + random.next(below: 60))
            let bottom = min(height, top + 6 + random.next(below: 60))
            let value = UInt8(random.next(below: 256))
            let isRound = random.next(below: 2) == 0
            for y in top..<bottom {
                for x in left..<right {
                    let dx = 2 * x - left - right
                    let dy = 2 * y - top - bottom
                    let (w, h) = (right - left, bottom - top)
                    if !isRound || dx * dx * h * h + dy * dy * w * w <= w * w * h * h {
                        pixels[y * width + x] = value
                    }
                }
            }
        }
        return GrayImage(width: width, height: height, pixels: pixels)
    }

    /// One grey everywhere.
    static func flat(width: Int, height: Int, value: UInt8 = 90) -> GrayImage {
        GrayImage(
            width: width, height: height,
            pixels: [UInt8](repeating: value, count: width * height))
    }

    /// A picture on a grey table, by the inverse of its homography: nine elements, row by row,
    /// that take a pixel of the view to one of the picture.
    static func view(
        of picture: GrayImage, inverse m: [Double], width: Int, height: Int
    ) -> GrayImage {
        var pixels = [UInt8](repeating: 60, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let w = m[6] * Double(x) + m[7] * Double(y) + m[8]
                let u = (m[0] * Double(x) + m[1] * Double(y) + m[2]) / w
                let v = (m[3] * Double(x) + m[4] * Double(y) + m[5]) / w
                if let value = sample(picture, u, v) { pixels[y * width + x] = value }
            }
        }
        return GrayImage(width: width, height: height, pixels: pixels)
    }

    /// The picture seen in a mirror.
    static func mirrored(_ picture: GrayImage) -> GrayImage {
        var pixels = picture.pixels
        for y in 0..<picture.height {
            pixels[y * picture.width..<(y + 1) * picture.width].reverse()
        }
        return GrayImage(width: picture.width, height: picture.height, pixels: pixels)
    }

    /// The picture with up to `size` grey levels of noise.
    static func noisy(_ picture: GrayImage, size: Int, seed: UInt64) -> GrayImage {
        var random = Sequence64(state: seed)
        let pixels = picture.pixels.map {
            UInt8(max(0, min(255, Int($0) + random.next(below: 2 * size + 1) - size)))
        }
        return GrayImage(width: picture.width, height: picture.height, pixels: pixels)
    }

    /// The value between four pixels; nil outside.
    private static func sample(_ picture: GrayImage, _ u: Double, _ v: Double) -> UInt8? {
        guard u >= 0, v >= 0, u < Double(picture.width - 1), v < Double(picture.height - 1) else {
            return nil
        }
        let (x, y) = (Int(u), Int(v))
        let (dx, dy) = (u - Double(x), v - Double(y))
        let at = { (x: Int, y: Int) in Double(picture.pixels[y * picture.width + x]) }
        let above = at(x, y) * (1 - dx) + at(x + 1, y) * dx
        let below = at(x, y + 1) * (1 - dx) + at(x + 1, y + 1) * dx
        return UInt8(above * (1 - dy) + below * dy + 0.5)
    }
}
