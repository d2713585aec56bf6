/// What it takes to make upright, opaque RGB pixels of 8 bits out of a stored picture.
public enum PictureStep: String, Sendable, CaseIterable {
    /// Of an animation or a collection of pictures, the first or main one is taken.
    case firstFrame
    /// Passes over the picture, from coarse to fine, are put together.
    case assembled
    /// Indexes are replaced by the colours of a palette.
    case paletteExpanded
    /// One sample of brightness becomes three equal ones of colour.
    case grayExpanded
    /// Samples of another depth become 8 bits, rounded to nearest.
    case depthChanged
    /// Brightness that was stored by another curve than sRGB's is brought to it.
    case gammaCorrected
    /// Brightness and colour differences of video become red, green and blue.
    case videoConverted
    /// Amounts of ink become amounts of light.
    case inksConverted
    /// The profile of a picture in four inks says which light they give, unless it cannot be read.
    case profileFollowed
    /// What shines through is laid on white.
    case alphaFlattened
    /// The stored rows are turned or mirrored as the orientation says.
    case turnedUpright
}
