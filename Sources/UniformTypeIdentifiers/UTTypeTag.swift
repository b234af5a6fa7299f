/// What a dynamic type was made from: a file extension or a MIME type the table lacks.
struct UTTypeTag: Hashable {
    /// What kind of tag.
    enum Kind: String {
        case filenameExtension = "extension"
        case mimeType = "mime"
    }

    var kind: Kind
    var value: String

    init(_ kind: Kind, _ value: String) {
        self.kind = kind
        self.value = value
    }

    /// The tag in a dynamic type's name; `nil` for another name. The original's encoding of dynamic names is
    /// its own; this one is readable.
    init?(dynamic identifier: String) {
        guard identifier.hasPrefix("dyn.") else { return nil }
        let parts = identifier.dropFirst(4).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.init(kind, String(parts[1]))
    }

    var dynamicIdentifier: String { "dyn.\(kind.rawValue):\(value)" }

    func value(of kind: Kind) -> String? {
        self.kind == kind ? value : nil
    }
}
