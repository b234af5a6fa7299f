package import AppleHealthExport
package import HealthEngine
import Foundation
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
    /// The single file that there is, if it is one.
    private let only: FileContents?
    private let stored: StoredCopies
    /// Workouts of the store that are removed because a file has them in more detail.
    private var replaced: Set<StoredCopies.Copy> = []
    /// The workouts of all files, which archives may list with less detail.
    private var workouts = GooglePeriods()
    /// The number of samples and objects that were read.
    private var count = 0

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
        // A store is only created for something to be stored.
        let isSingle = found.files.count == 1 && found.archive.isEmpty
        let only = try isSingle ? Self.onlyContents(of: found.files[0], options) : nil
        let engine = try opening()
        let lock = try engine.storage.beginImport {
            progress?(ImportProgress(bytesRead: 0, bytesTotal: found.byteCount, records: 0, phase: .waiting))
        }
        defer { lock.cancel() }
        var importer = try DeviceImporter(options, engine, isInterrupted, only)
        importer.report.file = path
        try importer.read(found, progress)
        if let zone = options.timeZone { try importer.engine.imports.setMetadata([ImportHistory.timeZoneKey: zone]) }
        let seconds = (ContinuousClock.now - began).components
        importer.report.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
        return importer.report
    }

    private init(
        _ options: ImportOptions, _ engine: HealthEngine, _ isInterrupted: @escaping () -> Bool, _ only: FileContents?
    ) throws {
        (self.options, self.engine, self.isInterrupted, self.only) = (options, engine, isInterrupted, only)
        committer = BatchCommitter(engine: engine)
        stored = try StoredCopies(engine)
    }

    private mutating func read(_ found: DeviceFiles, _ progress: (@Sendable (ImportProgress) -> Void)?) throws {
        func show(_ phase: ImportProgress.Phase = .reading) {
            progress?(ImportProgress(bytesRead: report.bytes, bytesTotal: nil, records: count, phase: phase))
        }
        // No batch is being written when an error ends the import.
        defer { _ = try? committer.finish() }
        let surplus = try surplus(of: found.files)
        for (number, file) in found.files.enumerated() {
            try read(file, without: surplus[number] ?? [])
            show()
            if isInterrupted() { try interrupt() }
        }
        var reader = ArchiveReader(
            found.archive, timeZone: try zone(), workouts: workouts, recovers: options.recoversDamagedArchives)
        while let file = reader.next() {
            let reading: DeviceReading
            do {
                reading = try reader.read(file) { try append($0) }
            } catch let error as DeviceFileError {
                skip(file.name, at: 0, error.reason)
                continue
            }
            report.bytes += reader.byteCount
            for damage in reading.damages { skip(file.name, at: damage.offset, damage.reason) }
            try append(reading.content)
            show()
            if isInterrupted() { try interrupt() }
        }
        try append(reader.finish())
        if batch.count > 0 { try committer.commit(batch.take()) }
        show(.finishing)
        let outcome = try committer.finish()
        (report.added, report.alreadyThere) = (outcome.added, outcome.alreadyThere)
        try stored.remove(replaced)
    }

    /// The time zone that the person gave, also in an earlier import.
    private func zone() throws -> TimeZone? {
        try (options.timeZone ?? engine.imports.metadata(ImportHistory.timeZoneKey)).flatMap(TimeZone.init(identifier:))
    }

    private func interrupt() throws -> Never {
        throw InterruptedImport(added: try committer.finish().added.values.reduce(0, +))
    }

    private mutating func append(_ content: DeviceContent) throws {
        report.irregularities.merge(content.leftOut, uniquingKeysWith: +)
        batch.append(content)
        count += content.count
        if batch.count >= max(1, options.batchSize) { try committer.commit(batch.take()) }
    }

    /// The workouts of each file that another one has, too. Files are read once more for that, because the first may
    /// have less detail than the last.
    private func surplus(of files: [DeviceFiles.File]) throws -> [Int: Set<Int>] {
        guard files.count > 1, !options.keepsCopies else { return [:] }
        var copies = FileCopies()
        for (number, file) in files.enumerated() {
            if isInterrupted() { throw InterruptedImport(added: 0) }
            guard let bytes = try? file.read(), let format = DeviceFormat(head: bytes) else { continue }
            let reading = format.read(bytes, recoversDamaged: options.recoversDamagedArchives)
            copies.add(reading.content, file: number)
        }
        return copies.surplus()
    }

    /// What a file contains.
    private struct FileContents {
        var size: Int
        var format: DeviceFormat
        var reading: DeviceReading

        init(_ file: DeviceFiles.File, _ options: ImportOptions) throws(DeviceFileError) {
            let bytes: [UInt8]
            do {
                bytes = try file.read()
            } catch {
                throw error as? DeviceFileError ?? DeviceFileError("its entry is damaged")
            }
            guard let format = DeviceFormat(head: bytes) else {
                throw DeviceFileError("it does not begin like a FIT, TCX or GPX file")
            }
            (size, self.format) = (bytes.count, format)
            reading = format.read(bytes, recoversDamaged: options.recoversDamagedArchives)
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
            let hint =
                damage.isAnywhere && !options.recoversDamagedArchives
                ? " To import what can be read, use --recover (ImportOptions.recoversDamagedArchives)." : ""
            throw ImportError(
                .unreadable, "“\(file.name)” is damaged at byte \(damage.offset): \(damage.reason).\(hint)")
        }
        guard contents.reading.content.leftOut.isEmpty else { return contents }
        throw ImportError(
            .notAnExport, "“\(file.name)” is a \(contents.format.rawValue) file without anything to import.")
    }

    /// Reads a file. Of several, one that can't be read is reported.
    ///
    /// - Parameter surplus: The numbers of the objects that another file has.
    private mutating func read(_ file: DeviceFiles.File, without surplus: Set<Int>) throws {
        let contents: FileContents
        do throws(DeviceFileError) {
            if let only { contents = only } else { contents = try FileContents(file, options) }
        } catch {
            return skip(file.name, at: 0, error.reason)
        }
        report.bytes += contents.size
        var reading = contents.reading
        for damage in reading.damages { skip(file.name, as: contents.format, at: damage.offset, damage.reason) }
        for object in reading.content.objects {
            if case .workout = object.body { workouts.add(object.start, object.end) }
        }
        if !options.keepsCopies { try leaveOutCopies(of: &reading.content, surplus) }
        try append(reading.content)
    }

    private mutating func leaveOutCopies(of content: inout DeviceContent, _ surplus: Set<Int>) throws {
        var left = surplus
        for place in content.objects.indices where !left.contains(place) {
            guard let recording = content.recording(of: place) else { continue }
            switch try stored.decide(content.objects[place], recording) {
            case .leaveOut: left.insert(place)
            case .add(let copies):
                let new = Set(copies).subtracting(replaced)
                guard !new.isEmpty else { continue }
                content.leaveOut("workout of the store with less detail than a copy of it", count: new.count)
                replaced.formUnion(new)
            }
        }
        content.remove(left)
        if !left.isEmpty { content.leaveOut("workout with less detail than a copy of it", count: left.count) }
    }

    private mutating func skip(
        _ path: String, as format: DeviceFormat? = nil, at offset: Int, _ reason: String
    ) {
        let type = format?.rawValue ?? "file"
        report.skipped[type, default: 0] += 1
        guard report.skips.count < options.maximumReasons else { return }
        let name = only != nil ? nil : path.split(separator: "/").last.map(String.init)
        report.skips.append(.init(byte: offset, of: name, type: type, reason: reason))
    }
}
