/// The body of `contact.query`: which of an account's contacts are wanted.
public struct ContactQuery: JSONBody {
    /// A contact's place in the order of the answer.
    public struct Place: Sendable, Equatable {
        /// Its title.
        public var title: String
        /// Its address book.
        public var addressBook: String
        /// Its UID.
        public var uid: String

        /// From its parts.
        public init(title: String, addressBook: String, uid: String) {
            self.title = title
            self.addressBook = addressBook
            self.uid = uid
        }
    }

    /// All contacts; otherwise those alone that have the name of an entity.
    public var all: Bool
    /// Only contacts with a name that holds this one as whole words; nil for any.
    public var name: String?
    /// The language that titles of entities are given in, such as `de_DE`.
    public var locale: String?
    /// Only what stands behind this place; everything if nil.
    public var after: Place?

    /// From its parts.
    public init(
        all: Bool = false, name: String? = nil, locale: String? = nil, after: Place? = nil
    ) {
        self.all = all
        self.name = name
        self.locale = locale
        self.after = after
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["all", "name", "locale", "after"])
        all = try members.flag("all")
        name = try members.name("name")
        locale = try members.name("locale")
        guard let after = members.value("after") else { return }
        let place = try Members(after, at: "after", allowing: ["title", "addressBook", "uid"])
        self.after = Place(
            title: place.value("title")?.text ?? "",
            addressBook: try place.requiredName("addressBook"), uid: try place.requiredName("uid"))
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add("all", flag: all)
        members.add("name", text: name)
        members.add("locale", text: locale)
        members.add(
            "after",
            after.map { place in
                .object([
                    "title": .string(place.title), "addressBook": .string(place.addressBook),
                    "uid": .string(place.uid),
                ])
            })
        return .object(members.json)
    }
}
