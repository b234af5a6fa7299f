import HealthModel

/// The sources of posted entries: the name given with an entry, else the application that posts.
///
/// A posted source gets an identifier below that of the application, so that its samples and those that the same device
/// saved in another way have different sources, which statistics merge instead of adding.
struct IngestSources: Sendable {
    /// The source revision of the application that posts.
    let application: SourceRevisionRecord

    /// The source revision of an entry.
    func revision(named name: String?) -> SourceRevisionRecord {
        guard let name, name != application.source.name else { return application }
        let short = self.name(of: name)
        var revision = SourceRevisionRecord(
            source: SourceRecord(
                bundleIdentifier: application.source.bundleIdentifier + "." + Self.identifier(of: short), name: short))
        // The kind of device decides which source wins where several overlap.
        if short.contains("Watch") {
            revision.productType = "Watch"
        } else if short.contains("iPhone") {
            revision.productType = "iPhone"
        }
        return revision
    }

    /// The name of an entry's source.
    func name(of name: String?) -> String {
        guard let name, name != application.source.name else { return application.source.name }
        return String(name.prefix(Self.maximumNameLength))
    }

    private static let maximumNameLength = 200

    /// Whether a source is the application or one that it posted.
    func isOwn(_ source: SourceRecord) -> Bool {
        let own = application.source.bundleIdentifier
        return source.bundleIdentifier == own || source.bundleIdentifier.hasPrefix(own + ".")
    }

    /// The name's ASCII letters and digits, and a hash of all of it. It is stored and must never change.
    private static func identifier(of name: String) -> String {
        var slug = ""
        for byte in name.lowercased().utf8.prefix(40) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                slug.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                if !slug.isEmpty, slug.last != "-" { slug += "-" }
            }
        }
        let hash = FNV1a.hash(name.utf8)
        let digits = String(hash ^ hash >> 32, radix: 16)
        return slug.isEmpty || slug.last == "-" ? slug + digits : slug + "-" + digits
    }
}
