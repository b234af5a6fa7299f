/// The iOS whose way of writing an archive is meant.
///
/// Versions differ in the document type they put before the data, in the elements they write and in
/// their mistakes. What is known of them, and from where, is in Docs/Archive-dialects.md; between two known
/// versions the older one's way is taken.
public struct ArchiveDialect: Hashable, Sendable, Comparable {
    /// The first part of the version, as in iOS 16.2.
    public var major: Int
    /// The second part.
    public var minor: Int

    /// The versions that may be asked for.
    public static let majors = 8...26

    /// A version of iOS.
    public init(major: Int, minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Reads `16` or `16.2`; `nil` where the text is no version or one outside ``majors``. There never was
    /// an iOS 19 to 25.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let major = Int(parts[0]), Self.majors.contains(major),
            !(19...25).contains(major), let minor = parts.count == 2 ? Int(parts[1]) : 0, (0...9).contains(minor),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
        else { return nil }
        self.init(major: major, minor: minor)
    }

    /// The older version comes first.
    public static func < (left: ArchiveDialect, right: ArchiveDialect) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// As people write it: `16.2`, and `17` for the first of its kind.
    public var name: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }

    func isAtLeast(_ major: Int, _ minor: Int = 0) -> Bool {
        self >= ArchiveDialect(major: major, minor: minor)
    }
}
