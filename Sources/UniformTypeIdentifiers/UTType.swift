// A file that imports only UniformTypeIdentifiers sees Foundation too, as with the original.
@_exported public import Foundation

/// A type of data with an identifier such as `public.jpeg`.
///
/// The part of Apple's API that attachments need: a table of common types with their supertypes, filename
/// extensions and MIME types. A filename extension or MIME type outside the table results in a dynamic type,
/// which contains the tag.
public struct UTType: Hashable, Sendable {
    /// The identifier, such as `public.jpeg`; in lower case for dynamic types.
    public let identifier: String

    /// Creates a type of the table; `nil` for an unknown identifier.
    public init?(_ identifier: String) {
        guard UTTypeTable.entry(of: identifier) != nil || UTTypeTag(dynamic: identifier) != nil else { return nil }
        self.identifier = identifier
    }

    /// Creates a type that is declared elsewhere, with any identifier.
    public init(exportedAs identifier: String) {
        self.identifier = identifier
    }

    /// Creates a type that is declared elsewhere, with any identifier.
    public init(importedAs identifier: String) {
        self.identifier = identifier
    }

    /// Creates the type of files with an extension, without the dot and in any case; `nil` for an empty extension,
    /// and if the type does not conform to `supertype`.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let wanted = filenameExtension.lowercased()
        self.init(UTTypeTag(.filenameExtension, wanted), conformingTo: supertype) { $0.extensions.contains(wanted) }
    }

    /// Creates the type of a MIME type, ignoring its parameters; `nil` for invalid text.
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

    /// The preferred filename extension, without the dot.
    public var preferredFilenameExtension: String? {
        if let entry = UTTypeTable.entry(of: identifier) { return entry.extensions.first }
        return UTTypeTag(dynamic: identifier)?.value(of: .filenameExtension)
    }

    /// The preferred MIME type.
    public var preferredMIMEType: String? {
        if let entry = UTTypeTable.entry(of: identifier) { return entry.mimeTypes.first }
        return UTTypeTag(dynamic: identifier)?.value(of: .mimeType)
    }

    /// Whether the type was created from an extension or a MIME type outside the table.
    public var isDynamic: Bool { UTTypeTag(dynamic: identifier) != nil }

    /// Whether the type is in the table.
    public var isDeclared: Bool { UTTypeTable.entry(of: identifier) != nil }

    /// All direct and indirect supertypes.
    public var supertypes: Set<UTType> {
        var found: Set<UTType> = []
        var open = parents
        while let next = open.popLast() {
            if found.insert(next).inserted { open += next.parents }
        }
        return found
    }

    /// Whether data of this type is also of the other: a JPEG is an image. Every type conforms to itself.
    public func conforms(to type: UTType) -> Bool {
        self == type || supertypes.contains(type)
    }

    /// Whether the other type conforms to this one and is not the same.
    public func isSupertype(of type: UTType) -> Bool {
        self != type && type.conforms(to: self)
    }

    /// Whether this type conforms to the other and is not the same.
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

/// A type of the table.
struct UTTypeEntry {
    var identifier: String
    /// The identifiers of the direct supertypes.
    var parents: [String]
    /// Filename extensions in lower case, the preferred one first.
    var extensions: [String] = []
    /// MIME types in lower case, the preferred one first.
    var mimeTypes: [String] = []
}

/// The types of this module.
enum UTTypeTable {
    static func entry(of identifier: String) -> UTTypeEntry? { byIdentifier[identifier] }

    private static let byIdentifier = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })
}

/// The tag of a dynamic type: a filename extension or a MIME type outside the table.
struct UTTypeTag: Hashable {
    /// The class of the tag.
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

    /// The tag in the identifier of a dynamic type; `nil` for other identifiers. The encoding differs from Apple's
    /// and is readable.
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
