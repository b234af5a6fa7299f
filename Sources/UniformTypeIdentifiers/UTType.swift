/// A kind of data, by a name such as `public.jpeg`.
///
/// As much of the original as attachments need: a table of common kinds, what they conform to, their file
/// extensions and MIME types. A file extension or MIME type that the table lacks gives a dynamic type, which
/// keeps the tag it was made from.
public struct UTType: Hashable, Sendable {
    /// The name, such as `public.jpeg`; in lower case for dynamic types.
    public let identifier: String

    /// A kind of the table; `nil` for a name it does not have.
    public init?(_ identifier: String) {
        guard UTTypeTable.entry(of: identifier) != nil || UTTypeTag(dynamic: identifier) != nil else { return nil }
        self.identifier = identifier
    }

    /// A kind that is declared elsewhere: any name.
    public init(exportedAs identifier: String) {
        self.identifier = identifier
    }

    /// A kind that is declared elsewhere: any name.
    public init(importedAs identifier: String) {
        self.identifier = identifier
    }

    /// The kind of files with this extension, given without the dot, in any case; `nil` for an empty one, and
    /// when the kind of the table does not conform to `supertype`.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let wanted = filenameExtension.lowercased()
        self.init(UTTypeTag(.filenameExtension, wanted), conformingTo: supertype) { $0.extensions.contains(wanted) }
    }

    /// The kind of data that a MIME type names, parameters left aside; `nil` for text that is none.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        let plain = mimeType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard plain.split(separator: "/", omittingEmptySubsequences: false).count == 2,
            !plain.hasPrefix("/"), !plain.hasSuffix("/")
        else { return nil }
        self.init(UTTypeTag(.mimeType, plain), conformingTo: supertype) { $0.mimeTypes.contains(plain) }
    }

    private init?(_ tag: UTTypeTag, conformingTo supertype: UTType, _ fits: (UTTypeEntry) -> Bool) {
        guard !tag.value.isEmpty else { return nil }
        let candidates = UTTypeTable.all.filter(fits).map { UTType(known: $0.identifier) }
        if let fitting = candidates.first(where: { $0.conforms(to: supertype) }) {
            self = fitting
        } else if candidates.isEmpty {
            self.init(known: tag.dynamicIdentifier)
        } else {
            return nil
        }
    }

    init(known identifier: String) {
        self.identifier = identifier
    }

    /// The file extension that data of this kind usually has, without the dot.
    public var preferredFilenameExtension: String? {
        if let entry = UTTypeTable.entry(of: identifier) { return entry.extensions.first }
        return UTTypeTag(dynamic: identifier)?.value(of: .filenameExtension)
    }

    /// The MIME type that data of this kind usually has.
    public var preferredMIMEType: String? {
        if let entry = UTTypeTable.entry(of: identifier) { return entry.mimeTypes.first }
        return UTTypeTag(dynamic: identifier)?.value(of: .mimeType)
    }

    /// Whether the kind was made up from an extension or MIME type that the table lacks.
    public var isDynamic: Bool { UTTypeTag(dynamic: identifier) != nil }

    /// Whether the table has the kind.
    public var isDeclared: Bool { UTTypeTable.entry(of: identifier) != nil }

    /// The kinds above this one, all the way up.
    public var supertypes: Set<UTType> {
        var found: Set<UTType> = []
        var open = parents
        while let next = open.popLast() {
            if found.insert(next).inserted { open += next.parents }
        }
        return found
    }

    /// Whether data of this kind is also of the other: a JPEG is an image. Every kind conforms to itself.
    public func conforms(to type: UTType) -> Bool {
        self == type || supertypes.contains(type)
    }

    /// Whether the other conforms to this kind and is not the same.
    public func isSupertype(of type: UTType) -> Bool {
        self != type && type.conforms(to: self)
    }

    /// Whether this kind conforms to the other and is not the same.
    public func isSubtype(of type: UTType) -> Bool {
        self != type && conforms(to: type)
    }

    private var parents: [UTType] {
        if let entry = UTTypeTable.entry(of: identifier) { return entry.parents.map { UTType(known: $0) } }
        return isDynamic ? [.data] : []
    }
}

extension UTType: CustomStringConvertible {
    public var description: String { identifier }
}

extension UTType: Codable {
    public init(from decoder: any Decoder) throws {
        identifier = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
