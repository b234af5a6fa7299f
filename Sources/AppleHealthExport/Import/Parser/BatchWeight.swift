import HealthModel

/// The memory that the parts of a batch take, in rows of about fifty bytes. It bounds a batch's size whatever its
/// contents.
enum BatchWeight {
    /// An object without its parts, in memory and while it is written.
    private static let object = 16
    /// A member of an object, in memory and while it is written.
    private static let member = 32
    /// An event, a statistic, a metadata entry, an element or an attribute, without its text.
    private static let part = 4
    private static let bytesPerRow = 40

    static func weight(of object: ObjectRecord) -> Int {
        Self.object + object.members.count * member + object.metadata.entries.count * part + weight(of: object.body)
    }

    /// The weight of a sample with its own metadata dictionary, which takes `count` bytes of markup.
    static func weight(ofMetadataIn count: Int) -> Int { 4 + max(0, count - 1_024) / bytesPerRow }

    /// The weight of a file.
    static func weight(ofBytes count: Int) -> Int { count / bytesPerRow }

    private static func weight(of body: ObjectBody) -> Int {
        switch body {
        case .none, .activitySummary: 0
        case .document(let document):
            weight(of: document)
        case .workout(let workout):
            workout.archived.reduce((workout.events.count + workout.statistics.count) * part) { $0 + weight(of: $1) }
                + workout.activities.reduce(0) { $0 + ($1.events.count + $1.statistics.count + 4) * part }
        case .archived(let element):
            weight(of: element)
        }
    }

    private static func weight(of document: DocumentBody) -> Int {
        let fields = document.fields.values.reduce(0) { $0 + weight(of: $1) }
        // A series counts as its number of rows, whatever its columns.
        return document.series.values.reduce(fields) { max($0, fields + $1.count) }
    }

    private static func weight(of field: FieldValue) -> Int {
        switch field {
        case .data(let bytes): part + weight(ofBytes: bytes.count)
        case .string(let text): part + weight(ofBytes: text.utf8.count)
        case .list(let fields): fields.reduce(part) { $0 + weight(of: $1) }
        case .record(let fields): fields.values.reduce(part) { $0 + weight(of: $1) }
        case .bool, .integer, .double, .date, .uuid, .quantity: part
        }
    }

    private static func weight(of element: ArchivedElement) -> Int {
        let own = element.attributes.reduce(part) { $0 + part + weight(ofBytes: $1.value.utf8.count) }
        return element.children.reduce(own) { $0 + weight(of: $1) }
    }
}
