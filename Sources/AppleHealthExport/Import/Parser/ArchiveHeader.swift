import HealthModel

/// What an export says once: who it is of and when it was made. Attributes as they were read.
struct ArchiveHeader: Equatable, Sendable {
    /// The language and region of the phone.
    var locale: String?
    /// The root's other attributes.
    var others: [ArchivedElement.Attribute] = []
    /// The `ExportDate` element, with whatever it holds.
    var export: ArchivedElement?
    /// The `Me` element: the person's characteristics by identifier, and whatever else it holds.
    var person: ArchivedElement?

    /// When the export was made, as text.
    var exportDate: String? { export?["value"] }
    /// The person's characteristics by identifier.
    var characteristics: [ArchivedElement.Attribute] { person?.attributes ?? [] }
}
