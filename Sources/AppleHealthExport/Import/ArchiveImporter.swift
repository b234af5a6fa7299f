import Foundation
public import HealthEngine
@_exported public import HealthFiles
import HealthImport
import HealthModel
import HealthStorage

/// Imports an Apple Health export into a store.
///
/// The export may be the `export.zip`, its unzipped folder, or the XML file under any name. The file is read
/// sequentially and is never in memory as a whole. Samples and objects that the store already has, compared by
/// content and count, are not added again. You can import from any thread. An import waits until another one into the
/// same store, also by another process, is complete.
public struct ArchiveImporter: Sendable {
    let engine: HealthEngine
    let options: ImportOptions
    let archiveOptions: ArchiveOptions
    private let isInterrupted: @Sendable () -> Bool

    /// Creates an importer for the engine's store.
    public init(engine: HealthEngine, options: ImportOptions = .init(), archive: ArchiveOptions = .init()) {
        self.init(engine: engine, options: options, archive: archive) { false }
    }

    /// - Parameter isInterrupted: Whether to stop; asked for every batch and after errors.
    init(
        engine: HealthEngine, options: ImportOptions, archive: ArchiveOptions,
        isInterrupted: @escaping @Sendable () -> Bool
    ) {
        (self.engine, self.options, archiveOptions) = (engine, options, archive)
        self.isInterrupted = isInterrupted
    }

    /// Imports the archive at `path`, or on standard input if the path is `-`, and returns when it is durable.
    ///
    /// XML on standard input is read sequentially. A zip file from a pipe is copied to a temporary file without a
    /// name, because its directory is at its end.
    ///
    /// - Parameter progress: Called on the calling thread, about once per megabyte.
    /// - Throws: ``ImportError`` if the input is not an export or is damaged; the engine's errors if the store
    ///   cannot be written. Nothing is imported from a zip file whose main file does not match its checksum. After
    ///   other errors, the batches committed before remain; a new import continues after them.
    public func run(
        path: String, progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) throws -> ImportReport {
        try Self.run(path: path, options: options, archive: archiveOptions, progress: progress) { engine }
    }

    /// Imports an archive like ``run(path:progress:)`` into a store that is opened when the archive was found.
    ///
    /// - Parameters:
    ///   - isInterrupted: Whether to stop; asked for every batch and after errors.
    ///   - otherwise: Imports what standard input has instead of an archive, at a path; `nil` if it isn't known.
    /// - Throws: ``InterruptedImport``; what ``run(path:progress:)`` throws.
    package static func run(
        path: String, options: ImportOptions, archive archiveOptions: ArchiveOptions = .init(),
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil,
        otherwise: (_ path: String) throws -> ImportReport? = { _ in nil }, opening: () throws -> HealthEngine
    ) throws -> ImportReport {
        let began = ContinuousClock.now
        let archive: LocatedArchive
        do {
            archive = try ArchiveLocator.open(
                path, growth: options.trustsSize ? .unbounded : .bounded,
                recoversDamagedArchives: options.recoversDamagedArchives)
        } catch let other as StandardInput.Other {
            guard let report = try otherwise(other.path) else { throw other.error }
            return report
        }
        let importer = ArchiveImporter(
            engine: try opening(), options: options, archive: archiveOptions, isInterrupted: isInterrupted)
        return try importer.run(archive, path: path, began: began, progress)
    }

    private func run(
        _ archive: LocatedArchive, path: String, began: ContinuousClock.Instant,
        _ progress: (@Sendable (ImportProgress) -> Void)?
    ) throws -> ImportReport {
        var report = ImportReport()
        var hasWaited = false
        let lock = try engine.storage.beginImport {
            hasWaited = true
            progress?(ImportProgress(bytesRead: 0, bytesTotal: archive.main.byteCount, records: 0, phase: .waiting))
        }
        defer { lock.cancel() }
        try read(archive, path: path, progress, &report)
        if hasWaited { report.irregularities["waited for another import into this store"] = 1 }
        let seconds = (ContinuousClock.now - began).components
        report.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
        return report
    }

    /// Reads an archive into the store, unless it is the one that was read last. The caller holds the store's lock.
    func read(
        _ archive: LocatedArchive, path: String, _ progress: (@Sendable (ImportProgress) -> Void)?,
        _ report: inout ImportReport
    ) throws {
        report.file = archive.main.name
        let fingerprint = ArchiveFingerprint(archive, path: path)
        if try isKnown(fingerprint, &report) { return }
        try read(archive, fingerprint, path: path, progress, &report)
    }

    private func read(
        _ archive: LocatedArchive, _ fingerprint: ArchiveFingerprint, path: String,
        _ progress: (@Sendable (ImportProgress) -> Void)?, _ report: inout ImportReport
    ) throws {
        let digesting = (archive.main as? FileByteSource).map(DigestingByteSource.init)
        let tolerant = options.recoversDamagedArchives ? TolerantByteSource(archive.main) : nil
        let source: any ByteSource = digesting ?? tolerant ?? archive.main
        let verification = tolerant == nil ? (archive.main as? ZipEntryStream).map(ArchiveVerification.init) : nil
        let auxiliaryFiles = CountedAuxiliaryFiles(archive.auxiliaryFiles)
        let check = try OwnerCheck(self, path: path, name: source.name, reopen: archive.reopen)
        let run = ImportRun(
            engine: engine, byteCount: source.byteCount, batchesHeld: check.batchesHeld, verification: verification,
            keepsLaterSummaries: !archiveOptions.mirrors, progress: progress, isInterrupted: isInterrupted,
            readHeader: check.readHeader)
        let supplement = SupplementMerge.open(auxiliaryFiles, mainBytes: source.byteCount, next: run)
        var parser = ArchiveParser(
            source: DecodingByteSource(source), auxiliaryFiles: auxiliaryFiles,
            knownTypes: try engine.dictionaries().types,
            options: .init(
                batchSize: max(1, options.batchSize), maximumReasons: max(0, options.maximumReasons),
                recoversDamagedArchives: options.recoversDamagedArchives), sink: supplement ?? run)
        let outcome: BulkOutcome
        do {
            try parser.run()
            try supplement?.finish()
            outcome = try run.finish()
        } catch {
            // The batch being written must be finished before the store is used.
            let written = run.abandon()
            if isInterrupted() { throw InterruptedImport(added: written?.added.values.reduce(0, +) ?? 0) }
            throw Self.readable(error, path)
        }

        report.added = outcome.added
        report.alreadyThere = outcome.alreadyThere
        report.skipped = parser.findings.skipped
        report.skips = parser.findings.skips
        report.irregularities = parser.findings.irregularities
        report.irregularities.merge(supplement?.irregularities ?? [:], uniquingKeysWith: +)
        if outcome.unmatchedAdditions > 0 {
            report.irregularities["part of the supplement without a stored sample or object, left out"] =
                outcome.unmatchedAdditions
        }
        report.irregularityLines = parser.findings.irregularityLines
        report.bytes = parser.window.bytesRead
        report.auxiliaryFiles = auxiliaryFiles.counts
        report.irregularities.merge(auxiliaryFiles.irregularities, uniquingKeysWith: +)
        let damage = [archive.damage, tolerant?.damage].compactMap(\.self)
        for part in damage { report.irregularities["the zip file is damaged: \(part.description)"] = 1 }
        for name in archive.others { report.irregularities["another export, “\(name)”, left out"] = 1 }
        if archiveOptions.mirrors {
            try mirror(run, archive.auxiliaryFiles, isIntact: supplement?.isIntact ?? true && damage.isEmpty, &report)
        }
        var timeZone = run.timeZone
        timeZone.dates = parser.dates.offsets.dates
        try preserve(parser.header, timeZone, in: &report)
        // What is missing may be there the next time.
        if parser.isTruncated || !damage.isEmpty || auxiliaryFiles.hasUnreadable { return }
        if let text = try digesting.map({ fingerprint.text(digest: $0.digest) }) ?? fingerprint.text() {
            try remember(text, report)
        }
    }

    /// Removes what the archive no longer contains, except types with elements that could not be read.
    private func mirror(
        _ run: ImportRun, _ auxiliaryFiles: any AuxiliaryFiles, isIntact: Bool, _ report: inout ImportReport
    ) throws {
        guard !report.added.isEmpty || !report.alreadyThere.isEmpty else {
            report.irregularities["nothing removed, because the archive is empty"] = 1
            return
        }
        // A skipped element without a type identifier, or a line of the supplement, may have been of any type.
        if isIntact, report.skipped.keys.allSatisfy({ $0.hasPrefix("HK") }) {
            var protected = Set(report.skipped.keys)
            // A single XML file has no auxiliary files with it; that does not mean there are none.
            let folder = ElectrocardiogramReader.folder
            if auxiliaryFiles.paths(inFolder: folder).isEmpty || auxiliaryFiles.listingProblem(inFolder: folder) != nil
            {
                protected.insert(ElectrocardiogramReader.identifier)
            }
            report.removed = try run.removeMissing(protecting: protected)
        } else {
            report.irregularities["nothing removed, because parts of the archive are damaged"] = 1
        }
    }

    private static func readable(_ error: any Error, _ path: String) -> any Error {
        guard let error = error as? ZipError else { return error }
        return ImportError.damagedZip(path == StandardInput.path ? StandardInput.name : path, error)
    }

    /// Saves the characteristics that the store lacks and the archive's metadata.
    private func preserve(
        _ header: ArchiveHeader, _ timeZone: ArchiveTimeZone, in report: inout ImportReport
    ) throws {
        report.locale = header.locale
        report.exportDate = header.exportDate.flatMap { ArchiveDate.parse($0) }
        var added: [String] = []
        let given = header.characteristics.filter { PersonReader.isSet($0) }
        report.characteristics = given.map(\.name)
        try engine.profile.update { profile in
            added = given.filter { PersonReader.read($0, into: &profile) }.map(\.name)
        }
        report.characteristicsAdded = added
        var metadata = HeaderMetadata.entries(of: header)
        let conclusion = try options.timeZone == nil ? timeZone.conclusion("archive", for: engine) : nil
        metadata[ImportHistory.timeZoneKey] = options.timeZone ?? conclusion?.zone
        if let conclusion { report.remarks.append(conclusion.remark) }
        try engine.imports.setMetadata(metadata)
    }
}
