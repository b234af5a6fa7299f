import HealthEngine

/// Refuses the archive of somebody else before anything of it is stored, and keeps whose archives came in.
///
/// Who an archive is of stands at its beginning. Should it stand elsewhere, a file is read once more to find it
/// before the first batch goes into a store that has a person's archives. Standard input cannot be: there the
/// first batches wait in memory until it is known.
final class PersonCheck {
    private let importer: ArchiveImporter
    private let path: String
    private let name: String
    private let before: ImportedPerson?
    private var hasLookedAhead = false

    /// How many batches of standard input wait.
    private static let greatestWait = 3

    /// - Parameter name: What the archive is called in errors.
    init(_ importer: ArchiveImporter, path: String, name: String) throws {
        self.importer = importer
        self.path = path
        self.name = name
        before = importer.options.takesAnyPerson ? nil : try importer.engine.importedPerson()
    }

    /// How many batches are to wait as long as nothing is known of the person.
    var batchesHeld: Int { before != nil && path == StandardInput.path ? Self.greatestWait : 0 }

    /// Hears what the archive says of itself, so far.
    func meet(_ header: ArchiveHeader) throws {
        var person = PersonReader.person(header.characteristics)
        if header.person == nil, before != nil, path != StandardInput.path, !hasLookedAhead {
            hasLookedAhead = true
            person = PersonReader.person(try lookAhead().characteristics)
        }
        if let before {
            let differences = person.differences(from: before)
            guard differences.isEmpty else { throw ImportError.anotherPerson(name, differences) }
        }
        try importer.engine.keepImportedPerson(person)
    }

    /// All that the archive says of itself, up to its end or to where it breaks off.
    private func lookAhead() throws -> ArchiveHeader {
        let archive = try ArchiveLocator.open(path, growth: importer.options.trustsSize ? .unbounded : .bounded)
        var parser = ArchiveParser(source: archive.main, options: .init(reasonsKept: 0), sink: Nowhere())
        // What is wrong with the archive is told when it is read in earnest.
        try? parser.run()
        return parser.header
    }

    /// Takes a parser's batches and drops them.
    private final class Nowhere: ArchiveSink {
        func meet(_ header: ArchiveHeader) throws {}
        func take(_ batch: BulkBatch) throws {}
        func advance(bytes: Int, records: Int) {}
    }
}
