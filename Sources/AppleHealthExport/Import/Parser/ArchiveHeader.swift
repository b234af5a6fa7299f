import HealthModel

/// What an export says once: who it is of and when it was made. Attributes as they were read.
struct ArchiveHeader: Equatable, Sendable {
    /// The language and region of the phone.
    var locale: String?
    /// The root's other attributes.
    var others: [ArchivedElement.Attribute] = []
    /// The text of the `ExportDate` element.
    var exportDate: String?
    /// The person's characteristics by identifier.
    var characteristics: [ArchivedElement.Attribute] = []
}
