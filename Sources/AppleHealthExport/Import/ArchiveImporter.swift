public import HealthEngine
import HealthModel

/// Brings an Apple Health export into a store.
///
/// Takes what people have: the `export.zip`, its unzipped folder, or the XML file under any name. The
/// file is read once, from front to back, and never as a whole; what the store holds already, by content
/// and number, is not added again. May be used from any thread; two imports at once into one store
/// would each add what both bring.
public struct ArchiveImporter: Sendable {
    let engine: HealthEngine
    let options: ImportOptions

    /// Makes an importer into the engine's store.
    public init(engine: HealthEngine, options: ImportOptions = .init()) {
        self.engine = engine
        self.options = options
    }

    /// Imports what is at `path`, or on standard input where that is `-`, and returns when it is durable.
    ///
    /// XML on standard input is read as it comes; a zip file that comes through a pipe is kept in a nameless
    /// temporary file, as its table of contents is its end.
    ///
    /// - Parameter progress: Called on the calling thread, about once a megabyte.
    /// - Throws: ``ImportError`` for input that is no export or is broken, the engine's errors for a
    ///   store that cannot be written. Whole batches committed before an error stay; importing again
    ///   takes up where they end.
    public func run(
        path: String, progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        let began = ContinuousClock.now
        let archive = try ArchiveLocator.open(path, growth: options.trustsSize ? .unbounded : .bounded)
        let fingerprint = ArchiveFingerprint(archive, path: path)
        var report = ImportReport()
        report.file = archive.main.name
        if try !isKnown(fingerprint, &report) {
            try read(archive, fingerprint, path: path, progress, &report)
        }
        let seconds = (ContinuousClock.now - began).components
        report.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
        return report
    }

    /// Reads the archive into the store.
    private func read(
        _ archive: LocatedArchive, _ fingerprint: ArchiveFingerprint, path: String,
        _ progress: (@Sendable (ImportProgress) -> Void)?, _ report: inout ImportReport
    ) throws {
        let digesting = (archive.main as? FileByteSource).map(DigestingByteSource.init)
        let source = digesting ?? archive.main
        let companions = CountedCompanions(archive.companions)
        let check = try PersonCheck(self, path: path, name: source.name)
        let run = ImportRun(
            engine: engine, byteCount: source.byteCount, batchesHeld: check.batchesHeld, progress: progress,
            greet: check.meet)
        let supplement = SupplementMerge.open(companions, mainBytes: source.byteCount, next: run)
        var parser = ArchiveParser(
            source: source, companions: companions, knownTypes: try engine.dictionaries().types,
            options: .init(batchSize: max(1, options.batchSize), reasonsKept: max(0, options.reasonsKept)),
            sink: supplement ?? run)
        do {
            try parser.run()
            try supplement?.finish()
        } catch {
            // What is being written must be done before anybody looks at the store.
            run.abandon()
            throw Self.readable(error, path)
        }
        let outcome = try run.finish()

        report.added = outcome.added
        report.alreadyThere = outcome.alreadyThere
        report.skipped = parser.findings.skipped
        report.skips = parser.findings.skips
        report.notes = parser.findings.notes
        report.notes.merge(supplement?.notes ?? [:], uniquingKeysWith: +)
        if outcome.strayAdditions > 0 {
            report.notes["part of the supplement about something that is not stored, left out"] = outcome.strayAdditions
        }
        report.noteLines = parser.findings.noteLines
        report.bytes = parser.window.bytesRead
        report.companions = companions.counts
        for (folder, counts) in report.companions where counts.read < counts.found {
            report.notes["file in \(folder) that was not read, left out"] = counts.found - counts.read
        }
        if options.mirrors { try mirror(run, archive.companions, &report) }
        try keep(parser.header, in: &report)
        if let text = try digesting.map({ fingerprint.text(digest: $0.digest) }) ?? fingerprint.text() {
            try remember(text, report)
        }
    }

    /// Removes what the archive no longer has, as far as it was understood.
    private func mirror(
        _ run: ImportRun, _ companions: any CompanionFiles, _ report: inout ImportReport
    ) throws {
        // An element without a type identifier may have been anything.
        if report.skipped.keys.allSatisfy({ $0.hasPrefix("HK") }) {
            var protected = Set(report.skipped.keys)
            // A bare file comes without them, and does not say that there are none.
            if companions.paths(inFolder: ElectrocardiogramReader.folder).isEmpty {
                protected.insert(ElectrocardiogramReader.identifier)
            }
            report.removed = try run.removeMissing(protecting: protected)
        } else {
            report.notes["nothing removed, because parts of the archive are damaged"] = 1
        }
    }

    private static func readable(_ error: any Error, _ path: String) -> any Error {
        guard let error = error as? ZipError else { return error }
        return ImportError(.damagedZip, "The zip file “\(path == StandardInput.path ? StandardInput.name : path)” is damaged: \(error.description).")
    }

    /// Enters the characteristics the store lacks, and what the archive says of itself.
    private func keep(_ header: ArchiveHeader, in report: inout ImportReport) throws {
        report.locale = header.locale
        report.exportDate = header.exportDate.flatMap { DateText.parse($0) }
        var added: [String] = []
        let given = header.characteristics.filter { PersonReader.sets($0) }
        report.characteristics = given.map(\.name)
        try engine.updateProfile { profile in
            added = given.filter { PersonReader.enter($0, into: &profile) }.map(\.name)
        }
        report.characteristicsAdded = added
        var notes = HeadNotes.notes(of: header)
        notes[HealthEngine.timeZoneNote] = options.timeZone
        try engine.keepImportNotes(notes)
    }
}
