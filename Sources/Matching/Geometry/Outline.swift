/// The four corners of a catalog picture as they appear in the query.
enum Outline {
    /// The corners of the whole query.
    static func whole(width: Int, height: Int) -> [OutlinePoint] {
        let (right, bottom) = (Double(width), Double(height))
        return [
            OutlinePoint(x: 0, y: 0), OutlinePoint(x: right, y: 0),
            OutlinePoint(x: right, y: bottom), OutlinePoint(x: 0, y: bottom),
        ]
    }
}
