import AppleHealthExport
import Foundation
import HealthEngine
package import HealthFiles
import HealthJSON
import HealthModel

/// Reads files with documents of Health Auto Export, as the app posts them to a server.
package final class AutoExportReader: FileReader {
    package static let format = FileFormat(
        name: "Health Auto Export", title: "[Health Auto Export](#health-auto-export)",
        files: "its JSON and CSV files, also in a folder or zip file",
        exampleNames: ["HealthAutoExport-2026-02-06.json", "HealthAutoExport-2026-02-06.csv"])

    private var timeZone = ArchiveTimeZone()

    package init() {}

    package func recognize(_ file: CandidateFile) -> Recognition? {
        if AutoExportTable.isHeader(file.header) {
            return .reads(.exact, type: "CSV") { [self] context, yield in
                let slashed = SlashedDates([0], of: file.file.pieces)
                let table = try AutoExportTable(file.file.pieces(), context.timeZone ?? .current, slashed)
                try yield(table.leftOut)
                try save(file, context, slashed) { ingest in
                    try table.forEachDocument(file.file.pieces()) { try ingest(.bytes($0), table.aggregation) }
                }
            }
        }
        guard let data = file.text.prefixMatch(of: /\{\s*"data"\s*:\s*\{\s*(?:"(\w+)"|\})/),
            data.1.map({ AutoExportDocument.sectionNames.contains(String($0)) }) ?? file.isAlone
        else { return nil }
        return .reads(.exact) { [self] context, _ in
            try save(file, context) { try $0(file.file.json(), nil) }
        }
    }

    /// Saves the documents of a file, each with the period of its entries if that is known.
    private func save(
        _ file: CandidateFile, _ context: ImportContext, _ slashed: SlashedDates? = nil,
        _ documents: ((JSONSource, IngestAggregation?) throws -> Void) throws -> Void
    ) throws {
        try IngestFile(file: file, context: context).save(as: Self.format.name, "ingest.health-auto-export") {
            writer, zone in
            try documents { source, header in
                var document = AutoExportDocument(
                    source, header: header.map { .some($0) }, timeZone: zone, slashed: slashed, writer: writer,
                    unread: { _, _, _, _ in })
                try document.ingest()
                timeZone.dates += document.timeZone.dates
            }
        }
    }

    package func finish(_ context: ImportContext, _ yield: (FileContent) throws -> Void) throws {
        guard context.options.timeZone == nil,
            let conclusion = try timeZone.conclusion("document", for: context.engine)
        else { return }
        context.report.remarks.append(conclusion.remark)
        if let zone = conclusion.zone { try context.engine.imports.setMetadata([ImportHistory.timeZoneKey: zone]) }
    }
}

/// Reads files with the samples that a shortcut posts to a server.
package final class ShortcutsFileReader: FileReader {
    package static let format = FileFormat(
        name: "Samples", title: "[samples of a shortcut](#samples-of-a-shortcut)",
        files: "the JSON file, as shortcuts post it, or a CSV file", exampleNames: ["samples.json", "samples.csv"])
    /// The size of a file that is read as a whole.
    private static let maximumSize = 1 << 25

    package init() {}

    package func recognize(_ file: CandidateFile) -> Recognition? {
        if let table = ShortcutsTable(file.rows) {
            return .reads(.exact, type: "CSV") { context, yield in
                // A checksum is at the end: of a file that is damaged there, nothing is used.
                let whole = try file.file.pieces()
                while !(try whole()).isEmpty {}
                let slashed = table.slashedDates(file.file.pieces)
                var content = FileContent()
                try Self.save(file, context, slashed) { ingest in
                    let damage = try table.forEachDocument(slashed, file.file.pieces(), ingest)
                    content.damages = [damage].compactMap(\.self)
                }
                try yield(content)
            }
        }
        guard ["{", "["].contains(file.text.first),
            let match = file.text.firstMatch(of: /"type"\s*:\s*"([^"]{1,100})"/),
            ShortcutsReader.type(String(match.1)) != nil
        else { return nil }
        return .reads(.exact, type: "JSON") { context, _ in
            guard file.file.size <= Self.maximumSize else {
                throw FileReadingError("it has more than \(Self.maximumSize >> 20) MB; divide it, or write a CSV file")
            }
            try Self.save(file, context) { try $0(file.file.contents()) }
        }
    }

    private static func save(
        _ file: CandidateFile, _ context: ImportContext, _ slashed: SlashedDates? = nil,
        _ documents: (([UInt8]) throws -> Void) throws -> Void
    ) throws {
        try IngestFile(file: file, context: context).save(as: "Shortcuts", "ingest.shortcuts") { writer, zone in
            let now = writer.engine.configuration.now()
            try documents { bytes in
                let items = try ShortcutsReader.items(bytes, media: nil, parameters: [])
                let reader = ShortcutsReader(timeZone: zone, now: now, slashed: slashed ?? SlashedDates(items))
                do {
                    try reader.ingest(items, into: writer, unread: { _, _, _, _ in })
                } catch is IngestEntryError {
                    // Nothing of this part was understood. The report has every reason.
                }
            }
        }
    }
}

/// A file whose entries are saved as if they were posted, so that nothing of it is stored twice.
private struct IngestFile {
    let file: CandidateFile
    let context: ImportContext

    /// Saves the entries, and reports the result of each.
    ///
    /// - Throws: ``FileReadingError`` for a file that can't be read; ``InterruptedImport``; the engine's errors.
    func save(
        as name: String, _ identifier: String, _ ingest: (IngestWriter, TimeZone) throws -> Void
    ) throws {
        let application = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: identifier, name: name))
        let writer = IngestWriter(
            engine: context.engine, caller: Caller(revision: application, permission: .owner),
            application: application, replacesOtherKind: false,
            now: context.engine.configuration.now() + Date.timeIntervalBetween1970AndReferenceDate,
            isInterrupted: context.isInterrupted)
        defer { report(writer.tally) }
        do {
            try ingest(writer, context.timeZone ?? .current)
        } catch let error as JSONSyntaxError {
            throw FileReadingError(error.description)
        } catch let error as IngestBodyError {
            throw FileReadingError(error.reason)
        } catch is IngestEntryError {
            // Nothing of it was understood. The report has every reason.
        }
        context.count(file.file.size)
    }

    private func report(_ tally: IngestTally) {
        for (type, counts) in tally.counts {
            let identifier = TypeCatalog.description(for: type)?.identifier ?? type.description
            func count(_ fates: IngestTally.Fate...) -> Int { fates.reduce(0) { $0 + counts[$1.rawValue] } }
            func add(_ count: Int, to counts: WritableKeyPath<ImportReport, [String: Int]>, _ key: String) {
                if count > 0 { context.report[keyPath: counts][key, default: 0] += count }
            }
            add(count(.saved, .replaced), to: \.added, identifier)
            add(count(.alreadyThere, .covered), to: \.alreadyThere, identifier)
            add(
                count(.mixed), to: \.irregularities,
                "\(identifier) summarized and single at one time, the later left out")
        }
        for problem in tally.problemOrder {
            let (count, what) = (tally.problems[problem] ?? 0, problem.name ?? problem.path)
            if problem.isSaved {
                context.report.irregularities["\(what): \(problem.reason)", default: 0] += count
                continue
            }
            context.report.skipped[what, default: 0] += count
            guard context.report.skips.count < context.options.maximumReasons else { continue }
            context.report.skips.append(.init(line: 0, of: file.lastName, type: what, reason: problem.reason))
        }
    }
}
