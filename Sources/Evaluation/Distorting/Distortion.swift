public import Raster

/// A view of a picture such as phones and screenshots give, harsh but plausible, from a seed.
///
/// A third of all distortions at most is a screenshot with the picture in it or an edited file, the
/// rest a photograph: perspective on clutter, then some of occlusion, glare, light, blur, noise,
/// scaling down and recompression. The same seed, number and pictures give the same pixels.
public struct Distortion: Sendable {
    /// Names the algorithm and its constants.
    public static let version = "views-1"
    /// Pixels of the longer side of what is made, at most.
    public static let side = 800

    /// What is done to the picture.
    public enum Kind: String, Sendable, CaseIterable {
        /// On a table or a wall, by a camera.
        case photo
        /// Small in a page.
        case screenshot
        /// The same pixels, cut, framed, scaled, recoloured or slightly turned.
        case edit
    }

    /// What is done to the picture.
    public let kind: Kind
    let seed: UInt64
    let strength: Double

    /// The distortion of a number; the strength is from 0 (hardly any) to 1.
    ///
    /// - Parameter kind: By chance if nil: 70 % photos, 15 % screenshots, 15 % edits.
    public init(seed: UInt64, number: Int, strength: Double, kind: Kind? = nil) {
        var numbers = SeededNumbers(seed: seed, stream: UInt64(truncatingIfNeeded: number))
        self.seed = numbers.next()
        self.strength = max(0, min(1, strength))
        let place = numbers.number(in: 0...1)
        self.kind = kind ?? (place < 0.7 ? .photo : place < 0.85 ? .screenshot : .edit)
    }

    /// The distorted picture; `clutter` stands around and behind it, and is best nothing that a
    /// catalog has.
    public func applied(to picture: Bitmap, clutter: [Bitmap] = []) -> DistortedPicture {
        var numbers = SeededNumbers(seed: seed)
        switch kind {
        case .photo:
            return Photographing(strength: strength, clutter: clutter)
                .photo(of: picture, &numbers)
        case .screenshot:
            return Screenshot(strength: strength, clutter: clutter).page(with: picture, &numbers)
        case .edit: return Editing(strength: strength).edited(picture, &numbers)
        }
    }
}

/// A picture that was distorted.
public struct DistortedPicture: Sendable {
    /// The pixels before they are compressed.
    public var bitmap: Bitmap
    /// The quality with which a file of it is to be compressed, 1 to 100.
    public var quality: Int
    /// Where the picture's top left, top right, bottom right and bottom left corners lie in
    /// `bitmap`.
    public var outline: [Point]
    /// What was done, in order.
    public var steps: [String]

    /// The picture as a JPEG file.
    ///
    /// - Throws: `RasterError` with `encodeFailed`.
    public func jpeg() throws(RasterError) -> [UInt8] { try bitmap.jpeg(quality: quality) }

    /// Scales down, outline included.
    mutating func scale(maxSide: Int) {
        let scaled = bitmap.scaled(maxSide: maxSide)
        guard scaled.width < bitmap.width else { return }
        let x = Double(scaled.width) / Double(bitmap.width)
        let y = Double(scaled.height) / Double(bitmap.height)
        outline = outline.map { Point(x: $0.x * x, y: $0.y * y) }
        bitmap = scaled
        steps.append("scaled to \(max(scaled.width, scaled.height))")
    }
}
