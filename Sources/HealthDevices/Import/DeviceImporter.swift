package import AppleHealthExport
package import HealthEngine
import HealthModel
import HealthStorage

/// Imports files of devices into a store, by content as the archives of Apple's Health app.
package struct DeviceImporter {
    private let options: ImportOptions
    private let engine: HealthEngine
    private let isInterrupted: () -> Bool
    private let bulk: BulkImport
    private var report = ImportReport()
    private var batch = DeviceBatch()

    /// Imports the files at a path into a store that is opened when they were found.
    ///
    /// - Returns: `nil` if the path has no files of devices.
    /// - Throws: ``ImportError`` for a single file that can't be read; ``InterruptedImport``; errors of the engine.
    package static func run(
        path: String, options: ImportOptions, isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil, opening: () throws -> HealthEngine
    ) throws -> ImportReport? {
        let began = ContinuousClock.now
        guard let found = try DeviceFiles(path: path) else { return nil }
        if options.mirrors {
            throw ImportError(
                .notAnExport,
                "“\(path)” contains files of a device, which are never all that a store has. Import it without --mirror."
            )
        }
        var importer = DeviceImporter(options, try opening(), isInterrupted)
        importer.report.file = path
        let lock = try importer.engine.storage.beginImport {
            progress?(ImportProgress(bytesRead: 0, bytesTotal: found.byteCount, records: 0, phase: .waiting))
        }
        defer { lock.cancel() }
        try importer.read(found.files, progress)
        if let zone = options.timeZone { try importer.engine.imports.setMetadata([ImportHistory.timeZoneKey: zone]) }
        let seconds = (ContinuousClock.now - began).components
        importer.report.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
        return importer.report
    }

    private init(_ options: ImportOptions, _ engine: HealthEngine, _ isInterrupted: @escaping () -> Bool) {
        (self.options, self.engine, self.isInterrupted) = (options, engine, isInterrupted)
        bulk = BulkImport(engine: engine)
    }

    private mutating func read(
        _ files: [DeviceFiles.File], _ progress: (@Sendable (ImportProgress) -> Void)?
    ) throws {
        for file in files {
            try read(file, isOnly: files.count == 1)
            progress?(
                ImportProgress(
                    bytesRead: report.bytes, bytesTotal: nil, records: report.addedCount + batch.count, phase: .reading)
            )
            if isInterrupted() { throw InterruptedImport(added: report.addedCount) }
            if batch.count >= max(1, options.batchSize) { try commit() }
        }
        if batch.count > 0 { try commit() }
    }

    /// Reads a file. Of several, one that can't be read is reported; a file by itself is an error.
    private mutating func read(_ file: DeviceFiles.File, isOnly: Bool) throws {
        let bytes: [UInt8]
        do {
            bytes = try file.read()
        } catch {
            let reason = (error as? DeviceFileError)?.reason ?? "its entry is damaged"
            if isOnly { throw ImportError(.unreadable, "“\(file.name)” is not imported: \(reason).") }
            return skip(file, at: 0, reason)
        }
        report.bytes += bytes.count
        guard let format = DeviceFormat(head: bytes) else {
            return skip(file, at: 0, "it does not begin like a FIT, TCX or GPX file")
        }
        let reading = format.read(bytes, recoversDamaged: options.recoversDamagedArchives)
        if isOnly, reading.content.count == 0, let damage = reading.damages.first {
            let hint =
                damage.isAnywhere && !options.recoversDamagedArchives
                ? " To import what can be read, use --recover (ImportOptions.recoversDamagedArchives)." : ""
            throw ImportError(
                .unreadable, "“\(file.name)” is damaged at byte \(damage.offset): \(damage.reason).\(hint)")
        }
        for damage in reading.damages { skip(file, as: format, at: damage.offset, damage.reason) }
        report.irregularities.merge(reading.content.leftOut, uniquingKeysWith: +)
        batch.append(reading.content)
    }

    private mutating func skip(
        _ file: DeviceFiles.File, as format: DeviceFormat? = nil, at offset: Int, _ reason: String
    ) {
        let type = format?.rawValue ?? "file"
        report.skipped[type, default: 0] += 1
        guard report.skips.count < options.maximumReasons else { return }
        let name = file.name.split(separator: "/").last.map(String.init) ?? file.name
        report.skips.append(.init(byte: offset, of: name, type: type, reason: reason))
    }

    private mutating func commit() throws {
        let outcome = try bulk.commit(batch.take())
        report.added.merge(outcome.added, uniquingKeysWith: +)
        report.alreadyThere.merge(outcome.alreadyThere, uniquingKeysWith: +)
    }
}
