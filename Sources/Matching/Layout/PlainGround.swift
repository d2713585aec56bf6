/// Ground around a drawing that runs on beyond it, as people put a logo on a larger sheet: where the
/// drawing's own ground ends cannot be seen, so that several places have to be tried.
public enum PlainGround {
    /// Crops of one kind, at most.
    private static let cropsMax = 16
    /// Steps along the longer side: fine enough that one crop is right but for what likeness bears.
    private static let steps = 64

    /// Parts of a picture that leave out ground on all sides alike, on the left and right alone, or at
    /// the top and bottom alone; the largest first of each kind, the whole picture not among them.
    public static func crops(of image: GrayImage) -> [PageRegion] {
        guard let content = PlainBorder.content(of: image) else { return [] }
        let across = min(content.x, image.width - content.x - content.width)
        let down = min(content.y, image.height - content.y - content.height)
        let step = max(2, max(image.width, image.height) / steps)
        let kinds = [(1, 1, min(across, down)), (1, 0, across), (0, 1, down)]
        return kinds.flatMap { x, y, most in
            widths(to: most, by: step).map { width in
                PageRegion(
                    x: x * width, y: y * width, width: image.width - 2 * x * width,
                    height: image.height - 2 * y * width)
            }
        }
    }

    /// What is left out on a side: each step, or fewer larger ones if there are too many.
    private static func widths(to most: Int, by step: Int) -> [Int] {
        let wider = max(step, (most + cropsMax - 1) / cropsMax)
        return Array(stride(from: wider, through: most, by: wider))
    }
}
