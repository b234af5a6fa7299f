import HealthModel

/// What things weigh in a batch, in rows of some fifty bytes: a batch is as long as its memory allows, whatever it
/// is made of.
enum BatchWeight {
    /// An object by itself, in memory and while it is being written.
    private static let object = 16
    /// A member of an object, likewise.
    private static let member = 32
    /// An event, a figure, an entry of metadata, an element or an attribute, without its text.
    private static let part = 4
    private static let bytesARow = 40

    static func weight(of object: ObjectRecord) -> Int {
        Self.object + object.members.count * member + object.metadata.entries.count * part + weight(of: object.body)
    }

    /// That of a sample with a dictionary of its own, which took so many bytes of markup.
    static func weight(ofMetadataIn count: Int) -> Int { 4 + max(0, count - 1_024) / bytesARow }

    /// That of a file.
    static func weight(ofBytes count: Int) -> Int { count / bytesARow }

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
        // A series of a million places counts as its rows, whatever columns they have.
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
