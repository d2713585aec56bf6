/// A picture that a request brings along as an attachment, encoded or as raw pixels.
public enum PictureSource: Sendable, Equatable {
    /// An encoded picture (PNG, JPEG, WebP, HEIC, AVIF), named by its hash.
    case picture(ContentHash)
    /// A pixel buffer.
    case pixels(PixelDescription)
}

/// What `picture`, `pixels` and `print` of a request may say together.
struct SubjectMembers {
    let source: PictureSource?
    let print: ContentHash?
    let region: RegionDescription?

    /// At most one of the three, and a region only of what has pixels.
    init(_ members: Members) throws(JSONError) {
        let given = ["picture", "pixels", "print"].filter { members.value($0) != nil }
        guard given.count <= 1 else {
            throw JSONError("\(given.joined(separator: " and ")) exclude each other")
        }
        print = try members.hash("print")
        if let hash = try members.hash("picture") {
            source = .picture(hash)
        } else if let value = members.value("pixels") {
            source = .pixels(try PixelDescription(value, at: members.place("pixels")))
        } else {
            source = nil
        }
        guard let value = members.value("region") else {
            region = nil
            return
        }
        guard source != nil else { throw JSONError("region needs picture or pixels") }
        region = try RegionDescription(value, at: members.place("region"))
    }
}

extension MemberList {
    mutating func add(_ source: PictureSource) {
        switch source {
        case .picture(let hash): add("picture", hash: hash)
        case .pixels(let pixels): add("pixels", pixels.json)
        }
    }
}
