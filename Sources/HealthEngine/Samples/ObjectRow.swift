import HealthModel
import HealthPages
import HealthStorage

/// A stored object whose payload is decoded at most once, and only when asked for.
struct ObjectRow {
    /// What the payload holds.
    struct Contents {
        var metadata: Metadata
        var creation: Double?
        var body: ObjectBody
    }

    let stored: StoredObject
    /// Reads the samples that belong to it.
    let reader: MemberReader
    private var decoded: Contents?

    init(_ stored: StoredObject, reader: MemberReader) {
        self.stored = stored
        self.reader = reader
    }

    mutating func contents() throws(PageError) -> Contents {
        if let decoded { return decoded }
        let (metadata, creation, body) = try ObjectCoder.decode(stored.payload)
        let contents = Contents(metadata: metadata, creation: creation, body: body)
        decoded = contents
        return contents
    }

    /// A workout's duration without pauses, else end minus start.
    mutating func duration() throws(PageError) -> Double {
        if case .workout(let workout) = try contents().body { return workout.duration }
        return stored.end - stored.start
    }

    /// The object as a record, its members left out.
    mutating func record() throws(PageError) -> ObjectRecord {
        let contents = try contents()
        return ObjectRecord(
            uuid: stored.uuid ?? reader.identities.uuid(for: stored.sequence), type: stored.type,
            start: stored.start, end: stored.end, revision: reader.dictionaries.revision(stored.revision),
            device: reader.dictionaries.device(stored.device), metadata: contents.metadata,
            creation: contents.creation, body: contents.body, sequence: stored.sequence)
    }
}
