import HealthStorage

extension HealthEngine {
    private static let namespace = "archive.state"
    private static let key = "person"

    /// What the archives imported so far say of their person; `nil` where none has said anything.
    public func importedPerson() throws -> ImportedPerson? {
        try storage.read { try Settings.read(ImportedPerson.self, namespace: Self.namespace, key: Self.key, in: $0) }
    }

    /// Takes over what an archive says of its person, each characteristic in place of the one before.
    public func keepImportedPerson(_ person: ImportedPerson) throws {
        let before = try importedPerson()
        var after = before ?? ImportedPerson(Profile())
        after.update(with: person)
        guard after != before else { return }
        try commit { transaction, _ in
            try Settings.write(after, namespace: Self.namespace, key: Self.key, in: transaction)
        }
    }
}
