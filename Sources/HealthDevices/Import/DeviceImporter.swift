package import AppleHealthExport
import Foundation
package import HealthEngine
import HealthImport
import HealthModel
import HealthStorage

/// Imports files of devices into a store, by content as the archives of Apple's Health app.
package struct DeviceImporter {
    private let options: ImportOptions
    private let engine: HealthEngine
    private let isInterrupted: () -> Bool
    private let committer: BatchCommitter
    private var report = ImportReport()
    private var batch = DeviceBatch()
    /// The single file that there is, if it is one and no table.
    private let only: FileContents?
    private let isSingle: Bool
    private let stored: StoredCopies
    private var totals: StoredTotals
    private var amounts: GrowingTotals
    /// Workouts of the store that were removed because a file has them in more detail.
    private var replaced: Set<UUID> = []
    /// The number of samples and objects that were read.
    private var count = 0

    /// Imports the files at a path into a store that is opened when they were found.
    ///
    /// - Parameter name: The name of a single file; by default the path.
    /// - Returns: `nil` if the path has no files of devices.
    /// - Throws: ``ImportError`` for a single file that can't be read; ``InterruptedImport``; errors of the engine.
    package static func run(
        path: String, name: String? = nil, options: ImportOptions,
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        progress: (@Sendable (ImportProgress) -> Void)? = nil, opening: () throws -> HealthEngine
    ) throws -> ImportReport? {
        let began = ContinuousClock.now
        let recovers = options.recoversDamagedArchives
        guard let found = try DeviceFiles(path: path, name: name, columns: options.columns, recovers: recovers) else {
            return nil
        }
        if options.mirrors {
            throw ImportError(
                .notAnExport,
                "“\(path)” contains files of a device or service, which are never all that a store has. Import it without --mirror."
            )
        }
        // A store is only created for something to be stored.
        let isSingle = found.files.count == 1 && found.leftOut.isEmpty
        let only =
            try isSingle && found.files[0].parts == nil ? Self.onlyContents(of: found.files[0], options) : nil
        let engine = try opening()
        let lock = try engine.storage.beginImport {
            progress?(ImportProgress(bytesRead: 0, bytesTotal: found.byteCount, records: 0, phase: .waiting))
        }
        defer { lock.cancel() }
        var importer = try DeviceImporter(options, engine, isInterrupted, only, isSingle: isSingle)
        importer.report.file = path
        for (what, count) in found.leftOut { importer.report.irregularities["\(what), left out"] = count }
        try importer.read(found.files, progress)
        if let zone = options.timeZone { try importer.engine.imports.setMetadata([ImportHistory.timeZoneKey: zone]) }
        let seconds = (ContinuousClock.now - began).components
        importer.report.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
        return importer.report
    }

    private init(
        _ options: ImportOptions, _ engine: HealthEngine, _ isInterrupted: @escaping () -> Bool, _ only: FileContents?,
        isSingle: Bool
    ) throws {
        (self.options, self.engine, self.isInterrupted) = (options, engine, isInterrupted)
        (self.only, self.isSingle) = (only, isSingle)
        committer = BatchCommitter(engine: engine)
        (stored, totals) = (try StoredCopies(engine), try StoredTotals(engine))
        amounts = try GrowingTotals(engine)
    }

    private mutating func read(
        _ files: [DeviceFiles.File], _ progress: (@Sendable (ImportProgress) -> Void)?
    ) throws {
        // No batch is being written when an error ends the import.
        defer { _ = try? committer.finish() }
        let surplus = try surplus(of: files)
        let context = try ImportContext(timeZone: timeZone(), recoversDamaged: options.recoversDamagedArchives)
        for (number, file) in files.enumerated() {
            if let parts = file.parts {
                try readParts(of: file, parts, context, progress)
            } else {
                try read(file, without: surplus[number] ?? [], context)
                try advance(progress)
            }
        }
        if batch.count > 0 { try committer.commit(batch.take()) }
        show(.finishing, progress)
        let outcome = try committer.finish()
        (report.added, report.alreadyThere) = (outcome.added, outcome.alreadyThere)
        let removed = try totals.removeCovered()
        if removed > 0 {
            report.irregularities["total of a day in the store, removed because the files have more of the day"] =
                removed
        }
        let outdated = try amounts.removeOutdated()
        if outdated > 0 {
            report.irregularities["amount in the store, removed because it has grown since"] = outdated
        }
    }

    private func show(_ phase: ImportProgress.Phase, _ progress: (@Sendable (ImportProgress) -> Void)?) {
        progress?(ImportProgress(bytesRead: report.bytes, bytesTotal: nil, records: count, phase: phase))
    }

    /// Reports the progress, and commits what is enough for a transaction.
    private mutating func advance(_ progress: (@Sendable (ImportProgress) -> Void)?) throws {
        show(.reading, progress)
        if isInterrupted() {
            throw InterruptedImport(added: try committer.finish().added.values.reduce(0, +))
        }
        if batch.count >= max(1, options.batchSize) { try committer.commit(batch.take()) }
    }

    /// The time zone that the person gave, also in an earlier import.
    private func timeZone() throws -> TimeZone? {
        try (options.timeZone ?? engine.imports.metadata(ImportHistory.timeZoneKey)).flatMap(TimeZone.init(identifier:))
    }

    /// The workouts of each file that another one has, too. Files are read once more for that, because the first may
    /// have less detail than the last.
    private func surplus(of files: [DeviceFiles.File]) throws -> [Int: Set<Int>] {
        guard files.count > 1, !options.keepsCopies else { return [:] }
        var copies = FileCopies()
        for (number, file) in files.enumerated() where file.parts == nil {
            if isInterrupted() { throw InterruptedImport(added: 0) }
            guard let contents = try? FileContents(file, options) else { continue }
            copies.add(contents.reading.content, file: number)
        }
        return copies.surplus()
    }

    /// What a file contains.
    private struct FileContents {
        var size = 0
        var format: DeviceFormat?
        var reading: DeviceReading

        /// A file that can't be read is an error, unless a list of activities has figures of it.
        init(_ file: DeviceFiles.File, _ options: ImportOptions) throws(DeviceFileError) {
            do {
                (size, format, reading) = try Self.read(file, options)
            } catch {
                guard file.activity != nil else { throw error }
                reading = DeviceReading(damages: [
                    .init(offset: 0, reason: "\(error.reason); its workout has the figures of the list of activities")
                ])
            }
            file.activity?.complete(&reading.content)
        }

        private static func read(
            _ file: DeviceFiles.File, _ options: ImportOptions
        ) throws(DeviceFileError) -> (Int, DeviceFormat, DeviceReading) {
            let bytes: [UInt8]
            do {
                bytes = try file.read()
            } catch {
                throw error as? DeviceFileError ?? DeviceFileError("its entry is damaged")
            }
            guard let format = DeviceFormat(head: bytes) else {
                throw DeviceFileError("it does not begin like a FIT, TCX or GPX file")
            }
            return (bytes.count, format, format.read(bytes, recoversDamaged: options.recoversDamagedArchives))
        }
    }

    /// Reads a file by itself, for which nothing to import is an error.
    private static func onlyContents(of file: DeviceFiles.File, _ options: ImportOptions) throws -> FileContents {
        let contents: FileContents
        do {
            contents = try FileContents(file, options)
        } catch {
            throw ImportError(.unreadable, "“\(file.name)” is not imported: \(error.reason).")
        }
        guard contents.reading.content.count == 0 else { return contents }
        if let damage = contents.reading.damages.first {
            let isRecoverable = damage.isAnywhere && !options.recoversDamagedArchives
            throw ImportError(
                isRecoverable ? .truncated : .unreadable,
                "“\(file.name)” is damaged at byte \(damage.offset): \(damage.reason)."
                    + (isRecoverable ? ImportError.recoveryHint : ""))
        }
        guard contents.reading.content.leftOut.isEmpty else { return contents }
        throw ImportError(
            .notAnExport, "“\(file.name)” is a \(contents.format?.rawValue ?? "") file without anything to import.")
    }

    /// Reads a file. Of several, one that can't be read is reported.
    ///
    /// - Parameter surplus: The numbers of the objects that another file has.
    private mutating func read(
        _ file: DeviceFiles.File, without surplus: Set<Int>, _ context: ImportContext
    ) throws {
        let contents: FileContents
        do throws(DeviceFileError) {
            if let only { contents = only } else { contents = try FileContents(file, options) }
        } catch {
            return skip(file, at: 0, error.reason)
        }
        report.bytes += contents.size
        try add(
            contents.reading, of: file, as: contents.format?.rawValue ?? file.type, without: surplus, context)
    }

    /// Reads a file in parts. One that can't be read is reported.
    private mutating func readParts(
        of file: DeviceFiles.File, _ parts: DeviceFiles.File.Parts, _ context: ImportContext,
        _ progress: (@Sendable (ImportProgress) -> Void)?
    ) throws {
        do {
            try parts(context) { reading in
                report.bytes += context.takeByteCount()
                try add(reading, of: file, as: file.type, without: [], context)
                try advance(progress)
            }
        } catch let error as DeviceFileError {
            skip(file, at: 0, error.reason)
        } catch let error as ColumnMappingError {
            skip(file, at: 0, error.description)
        }
    }

    private mutating func add(
        _ reading: DeviceReading, of file: DeviceFiles.File, as type: String, without surplus: Set<Int>,
        _ context: ImportContext
    ) throws {
        var reading = reading
        for damage in reading.damages { skip(file, as: type, at: damage.offset, line: damage.line, damage.reason) }
        context.add(reading.content)
        let copies = try options.keepsCopies ? [] : leaveOutCopies(of: &reading.content, surplus)
        try totals.leaveOutCovered(of: &reading.content)
        try amounts.leaveOutOutdated(of: &reading.content)
        report.irregularities.merge(reading.content.leftOut, uniquingKeysWith: +)
        count += reading.content.count
        guard !copies.isEmpty else { return batch.append(reading.content) }
        // In a separate transaction: what both have would be found in the store, and then removed with the copy.
        if batch.count > 0 { try committer.commit(batch.take()) }
        batch.append(reading.content)
        var replacing = batch.take()
        replacing.replaced = Array(copies)
        try committer.commit(replacing)
    }

    /// Leaves out what is elsewhere in more detail.
    ///
    /// - Returns: The workouts of the store that the content replaces.
    private mutating func leaveOutCopies(
        of content: inout DeviceContent, _ surplus: Set<Int>
    ) throws -> Set<UUID> {
        var left = surplus
        var found: Set<UUID> = []
        for place in content.objects.indices where !left.contains(place) {
            guard let recording = content.recording(of: place) else { continue }
            switch try stored.decide(content.objects[place], recording, isExport: content.isExport) {
            case .leaveOut: left.insert(place)
            case .add(let copies):
                let new = Set(copies).subtracting(replaced).subtracting(found)
                guard !new.isEmpty else { continue }
                content.leaveOut("workout of the store with less detail than a copy of it", count: new.count)
                found.formUnion(new)
            }
        }
        replaced.formUnion(found)
        content.remove(left)
        if !left.isEmpty { content.leaveOut("workout with no more detail than a copy of it", count: left.count) }
        return found
    }

    private mutating func skip(
        _ file: DeviceFiles.File, as type: String = "file", at offset: Int, line: Int? = nil, _ reason: String
    ) {
        report.skipped[type, default: 0] += 1
        guard report.skips.count < options.maximumReasons else { return }
        let name = isSingle ? nil : file.name.split(separator: "/").last.map(String.init)
        let skip: ImportReport.Skip =
            if let line {
                .init(line: line, of: name, type: type, reason: reason)
            } else {
                .init(byte: offset, of: name, type: type, reason: reason)
            }
        report.skips.append(skip)
    }
}
