package import HealthEngine
import HealthImport
import HealthModel
import HealthStorage

/// Imports the files at a path into a store: finds them, has each read by the reader that recognizes it, leaves out what
/// is known in more detail, and stores the rest by content.
package struct FileImporter {
    private let context: ImportContext
    private let found: RecognizedFiles
    private let committer: BatchCommitter
    private var policy: CopyPolicy
    private var batch = FileBatch()
    /// The number of samples and objects that were read.
    private var count = 0

    /// Imports the files at a path into a store that is opened when they were found.
    ///
    /// - Parameter name: The name of a single file; by default the path.
    /// - Returns: `nil` if there is nothing at the path that a reader knows and nothing that can be said of it.
    /// - Throws: ``ImportError`` if nothing at the path can be imported; ``InterruptedImport``; errors of the engine.
    package static func run(
        path: String, name: String? = nil, options: ImportOptions, registry: FileRegistry,
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil, opening: () throws -> HealthEngine
    ) throws -> ImportReport? {
        let began = ContinuousClock.now
        guard let search = FileSearch(path: path, name: name, recovers: options.recoversDamagedArchives) else {
            return nil
        }
        let found = try RecognizedFiles(search, readers: registry.readers)
        guard !found.files.isEmpty else {
            let isUnknown = found.unread.isEmpty || !search.isFolder && (search.isLone || search.files.isEmpty)
            if found.refusal == nil, isUnknown { return nil }
            throw found.failure(path)
        }
        if registry.readers.contains(where: \.mirrors),
            found.files.contains(where: { !found.format(of: $0).isComplete })
        {
            throw ImportError(
                .notAnExport,
                "“\(path)” contains files of a device or service, which are never all that a store has. Import it without --mirror."
            )
        }
        let engine = try opening()
        let context = try ImportContext(engine, options, isInterrupted: isInterrupted, progress: progress)
        let only = search.isLone ? try found.only(context) : nil
        var hasWaited = false
        let lock = try engine.storage.beginImport {
            hasWaited = true
            progress?(ImportProgress(bytesRead: 0, bytesTotal: search.byteCount, records: 0, phase: .waiting))
        }
        defer { lock.cancel() }
        context.report.file = path
        let committer = BatchCommitter(engine: engine)
        // What is still being written belongs to the import, also if it fails.
        defer { _ = try? committer.finish() }
        var importer = try FileImporter(context, found, committer)
        try importer.read(only)
        if hasWaited { context.report.irregularities["waited for another import into this store"] = 1 }
        if let zone = options.timeZone { try engine.imports.setMetadata([ImportHistory.timeZoneKey: zone]) }
        context.report.unread = importer.unread.list
        let seconds = (ContinuousClock.now - began).components
        context.report.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
        return context.report
    }

    private var unread: UnreadFileList

    private init(_ context: ImportContext, _ found: RecognizedFiles, _ committer: BatchCommitter) throws {
        (self.context, self.found, self.committer, unread) = (context, found, committer, found.unread)
        policy = try CopyPolicy(context, found.readers.map { type(of: $0).format })
    }

    // MARK: - Reading

    /// - Parameter only: What the only file contains, if it was read already.
    private mutating func read(_ only: FileContent?) throws {
        // No batch is being written when an error ends the import.
        defer { _ = try? committer.finish() }
        try survey()
        for (place, file) in found.files.enumerated() {
            if let only { try add(only, of: file, place) } else { try read(file, place) }
            context.report.bytes += context.takeByteCount()
            context.endFile()
        }
        for (place, reader) in found.readers.enumerated() {
            guard let last = found.files.lastIndex(where: { $0.reader == place }) else { continue }
            try reader.finish(context) { try add($0, of: found.files[last], last) }
        }
        for (place, content) in policy.rest { try add(content, of: found.files[place], place) }
        if batch.count > 0 { try committer.commit(batch.take()) }
        show(.finishing)
        let outcome = try committer.finish()
        context.report.added.merge(outcome.added, uniquingKeysWith: +)
        context.report.alreadyThere.merge(outcome.alreadyThere, uniquingKeysWith: +)
        for (what, count) in try policy.finish() { context.report.irregularities[what, default: 0] += count }
    }

    /// Reads a file. One that can't be read is reported, unless it is all that a person's store should have.
    private mutating func read(_ file: RecognizedFiles.File, _ place: Int) throws {
        var failure: (any Error)?
        do {
            try file.read(context) { content in
                do {
                    try add(content, of: file, place)
                } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            // A reader that stores by itself knows what it has added.
            if let failure = failure ?? (error as? InterruptedImport) { throw failure }
            if context.isInterrupted() {
                throw InterruptedImport(added: try committer.finish().added.values.reduce(0, +))
            }
            // What a reader stores by itself can fail like the rest.
            let isOfStore = error is StorageError || error is EngineError
            if found.format(of: file).isComplete || isOfStore { throw error }
            unread.add(file.candidate.name, "can’t be read: \(FileReadingError(describing: error).reason)")
        }
    }

    /// Compares the recordings of the files. They are read once more for that, because the first may have less detail
    /// than the last.
    private mutating func survey() throws {
        let places = found.files.indices.filter { found.files[$0].hasRecordings }
        guard places.count > 1, !context.options.keepsCopies else { return }
        for place in places {
            if context.isInterrupted() { throw InterruptedImport(added: 0) }
            do {
                try found.files[place].read(context) { policy.survey($0, file: place) }
            } catch {
                // It is reported when it is read.
            }
        }
        policy.rank()
        _ = context.takeByteCount()
    }

    private func show(_ phase: ImportProgress.Phase) {
        context.progress?(
            ImportProgress(bytesRead: context.report.bytes, bytesTotal: nil, records: count, phase: phase))
    }

    /// Adds what was read of a file, and commits what is enough for a transaction.
    private mutating func add(_ content: FileContent, of file: RecognizedFiles.File, _ place: Int) throws {
        context.report.bytes += context.takeByteCount()
        for damage in content.damages { skip(file, damage) }
        for remark in content.remarks where !context.report.remarks.contains(remark) {
            context.report.remarks.append(remark)
        }
        var content = content
        let replaced = try policy.apply(to: &content, file: place, format: found.format(of: file))
        context.report.irregularities.merge(content.leftOut, uniquingKeysWith: +)
        count += content.count
        if replaced.isEmpty {
            batch.append(content)
        } else {
            // In a separate transaction: what both have would be found in the store, and then removed with the copy.
            if batch.count > 0 { try committer.commit(batch.take()) }
            batch.append(content)
            var replacing = batch.take()
            replacing.replaced = Array(replaced)
            try committer.commit(replacing)
        }
        show(.reading)
        if context.isInterrupted() {
            throw InterruptedImport(added: try committer.finish().added.values.reduce(0, +))
        }
        if batch.count >= max(1, context.options.batchSize) { try committer.commit(batch.take()) }
    }

    private func skip(_ file: RecognizedFiles.File, _ damage: FileDamage) {
        context.report.skipped[file.type, default: 0] += 1
        guard context.report.skips.count < context.options.maximumReasons else { return }
        let name = found.files.count == 1 ? nil : file.candidate.name.split(separator: "/").last.map(String.init)
        context.report.skips.append(
            damage.line.map { .init(line: $0, of: name, type: file.type, reason: damage.reason) }
                ?? .init(byte: damage.offset, of: name, type: file.type, reason: damage.reason))
    }
}

extension RecognizedFiles {
    fileprivate func format(of file: File) -> FileFormat { type(of: readers[file.reader]).format }

    /// The content of the only file, if it has recordings and is read as a whole. Nothing to import is an error.
    ///
    /// - Throws: ``ImportError``.
    fileprivate func only(_ context: ImportContext) throws -> FileContent? {
        guard files.count == 1, let file = files.first, file.hasRecordings else { return nil }
        let name = file.candidate.name
        var content = FileContent()
        do {
            try file.read(context) { content = $0 }
        } catch let error as FileReadingError {
            throw ImportError(.unreadable, "“\(name)” is not imported: \(error.reason).")
        }
        guard content.count == 0 else { return content }
        if let damage = content.damages.first {
            let isRecoverable = damage.isAnywhere && !context.recoversDamaged
            throw ImportError(
                isRecoverable ? .truncated : .unreadable,
                "“\(name)” is damaged at byte \(damage.offset): \(damage.reason)."
                    + (isRecoverable ? ImportError.recoveryHint : ""))
        }
        guard content.leftOut.isEmpty else { return content }
        throw ImportError(.notAnExport, "“\(name)” is a \(file.type) file without anything to import.")
    }
}
