import HealthStorage

extension HealthEngine {
    private static let importNotes = "archive"

    /// The key of the note that names the zone the person lives in.
    public static let timeZoneNote = "timeZone"

    /// What the archives imported so far said of themselves beyond samples and characteristics, by key
    /// (date of export, locale, attributes of the person's element that are not understood).
    public func importNotes() throws -> [String: String] {
        try storage.read { try importNotes(in: $0) }
    }

    func importNotes(in snapshot: any StorageSnapshot) throws -> [String: String] {
        try snapshot.values(namespace: Self.importNotes).mapValues { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes these notes, each in place of an older one of its key, in one transaction. Notes that are
    /// there already are not written again.
    public func keepImportNotes(_ notes: [String: String]) throws {
        try commit { transaction, _ in
            for (key, text) in notes.sorted(by: { $0.key < $1.key }) {
                let bytes = Array(text.utf8)
                if try transaction.value(namespace: Self.importNotes, key: key) == bytes { continue }
                try transaction.setValue(bytes, namespace: Self.importNotes, key: key)
            }
        }
    }
}
