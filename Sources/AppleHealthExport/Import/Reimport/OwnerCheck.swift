import HealthEngine
import HealthFiles
import HealthImport

/// Refuses the archive of a different person before anything of it is stored, and records the owner of the archives
/// imported.
///
/// An archive's owner normally comes first. If it does not and the store already has archives, a file is read ahead
/// to find it before the first batch is stored. Standard input cannot be read twice; its first batches are held in
/// memory instead.
final class OwnerCheck {
    private let importer: ArchiveImporter
    private let path: String
    private let name: String
    private let reopen: LocatedArchive.Reopen?
    private let owner: ImportedPerson?
    private var hasLookedAhead = false

    /// The number of batches of standard input that are held.
    private static let maximumBatchesHeld = 3

    /// - Parameter name: The name of the archive in errors.
    init(_ importer: ArchiveImporter, path: String, name: String, reopen: LocatedArchive.Reopen?) throws {
        (self.importer, self.path, self.name, self.reopen) = (importer, path, name, reopen)
        owner = importer.archiveOptions.acceptsAnyPerson ? nil : try importer.engine.imports.person()
    }

    /// The number of batches to hold back until the owner is known.
    var batchesHeld: Int { owner != nil && path == StandardInput.path ? Self.maximumBatchesHeld : 0 }

    /// Compares the owner in the archive's header, as far as it has been read. Throws
    /// ``ImportError/Kind/anotherPerson``.
    func readHeader(_ header: ArchiveHeader) throws {
        var person = PersonReader.person(header.characteristics)
        if header.person == nil, owner != nil, path != StandardInput.path, !hasLookedAhead {
            hasLookedAhead = true
            person = PersonReader.person(try lookAhead().characteristics)
        }
        if let owner {
            let differences = person.differences(from: owner)
            guard differences.isEmpty else { throw ImportError.anotherPerson(name, differences) }
        }
        try importer.engine.imports.updatePerson(person)
    }

    /// Reads the whole archive, as far as it is intact, and returns its header.
    private func lookAhead() throws -> ArchiveHeader {
        let growth: ZipGrowth = importer.options.trustsSize ? .unbounded : .bounded
        let source = try reopen?() ?? ArchiveLocator.open(path, growth: growth).main
        var parser = ArchiveParser(source: source, options: .init(maximumReasons: 0), sink: DiscardingSink())
        // Damage is reported when the archive is imported.
        try? parser.run()
        return parser.header
    }

    /// Discards a parser's batches.
    private final class DiscardingSink: ArchiveSink {
        func readHeader(_ header: ArchiveHeader) throws {}
        func append(_ batch: BulkBatch) throws {}
        func advance(bytes: Int, records: Int) {}
    }
}
