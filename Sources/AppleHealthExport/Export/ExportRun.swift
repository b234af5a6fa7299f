import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthImport

/// One export: visits the store's contents in the archive's order and submits the pieces to the pipeline.
final class ExportRun {
    let contents: StoreContents
    let options: ExportOptions
    let output: any ArchiveOutput
    private let progress: (@Sendable (ExportProgress) -> Void)?
    let style: RecordStyle
    /// Collects what the format cannot hold; `nil` if no supplement was requested or the target is a single file.
    let supplement: SupplementWriter?
    /// Decides which objects need a line in the supplement.
    var plain: SupplementCriteria
    /// The samples and objects that have attachments.
    var attachmentOwners: Set<UUID> = []
    /// Owners whose attachments are files of the archive and that are not in the supplement.
    var plainOwners: Set<UUID> = []
    /// Sequences of the electrocardiograms that are in the supplement, by the path of their file.
    var supplementedElectrocardiograms: [String: Int64] = [:]
    var tally = ExportTally()
    /// The files to be written beside the main file.
    var auxiliaryFiles: ExportedAuxiliaryFiles
    /// Sequences of objects that are inside another object's element.
    var placed: Set<Int64> = []
    private var written = 0
    private var total = 0
    private var textBytes = 0
    /// The length of the main file, once it is complete.
    private var mainBytes: Int?
    private var lastReported = 0

    /// The approximate number of records in a piece: one or two megabytes of text.
    private static let recordsInPiece = 4_096

    init(
        contents: StoreContents, options: ExportOptions, output: any ArchiveOutput,
        progress: (@Sendable (ExportProgress) -> Void)?
    ) throws {
        self.contents = contents
        self.options = options
        self.output = output
        self.progress = progress
        let writesSupplement = options.writesSupplement && output.acceptsAuxiliaryFiles
        var style = RecordStyle(
            dictionaries: contents.dictionaries, offset: options.timeZone.secondsFromGMT(for: options.exportDate),
            writesSupplement: writesSupplement)
        if writesSupplement {
            style.identities = contents.identities
            var owners: Set<UUID> = []
            try contents.visitAttachments(in: options.selection) { owner, type, _ in
                owners.insert(owner)
                style.supplementedTypes.insert(type)
            }
            attachmentOwners = owners
        }
        self.style = style
        supplement = writesSupplement ? SupplementWriter(dictionaries: contents.dictionaries) : nil
        plain = SupplementCriteria(dictionaries: contents.dictionaries)
        auxiliaryFiles = ExportedAuxiliaryFiles(offset: style.dates.offset)
    }

    /// A report of what was written so far, without total size and duration.
    var report: ExportReport {
        var report = ExportReport()
        func named(_ counts: [TypeCode: Int]) -> [String: Int] {
            counts.reduce(into: [:]) {
                $0[contents.dictionaries.type($1.key)?.identifier ?? "unknown", default: 0] += $1.value
            }
        }
        report.written = named(tally.written)
        report.leftOut = named(tally.leftOut)
        report.supplemented = named(tally.supplemented)
        report.completed = named(tally.completed)
        report.hasSupplement = supplement?.isEmpty == false
        report.irregularities = tally.irregularities
        report.xmlBytes = mainBytes ?? textBytes
        report.auxiliaryFiles = auxiliaryFiles.files.count
        return report
    }

    /// Writes all files.
    func write() throws {
        let types = try contents.types().filter { options.selection.includes($0.code) }
        let paged = types.filter { $0.kind.isPaged }
        total = try paged.reduce(0) { try $0 + contents.countInPages(of: $1.code, in: options.selection) }
        let pipeline = PiecePipeline(output: output, style: style, cores: ProcessInfo.processInfo.activeProcessorCount)
        { [self] in try record($0) }
        let (preamble, ending) = (preamble(), "</HealthData>\n")
        try pipeline.submit(beginning: ArchiveLayout.mainFile) { piece in
            piece.text.append(ArchiveDefinition.text)
            piece.text.append("<" + preamble.root.name)
            ElementMarkup.writeAttributes(of: preamble.root, to: piece.text, &piece.tally)
            piece.text.append(">\n" as StaticString)
            for element in preamble.elements { ElementMarkup.write(element, depth: 1, to: piece.text, &piece.tally) }
        }
        for type in types.sorted(by: { ($0.archiveRank, $0.code) < ($1.archiveRank, $1.code) }) {
            if type.kind.isPaged {
                try writePages(of: type, to: pipeline)
            } else {
                try writeObjects(of: type, to: pipeline)
            }
        }
        try pipeline.submit { $0.text.append(ending) }
        try pipeline.drain()
        mainBytes = textBytes
        try writeSupplement(mainBytes: textBytes, to: pipeline)
        try writeAuxiliaryFiles(to: pipeline)
        try pipeline.drain()
    }

    private func record(_ piece: ExportPiece) throws {
        tally.add(piece.tally)
        try supplement?.append(piece)
        written += piece.tally.written.values.reduce(0, +)
        textBytes += piece.text.count
        guard let progress, textBytes - lastReported >= 1 << 20 || written >= total else { return }
        lastReported = textBytes
        progress(ExportProgress(written: written, total: max(total, written), bytes: textBytes))
    }

    // MARK: - Header

    private func preamble() -> (root: ArchivedElement, elements: [ArchivedElement]) {
        let metadata = contents.importMetadata
        var date = ArchivedElement(name: HeaderMetadata.export)
        date.append("value", style.date(options.exportDate.timeIntervalSinceReferenceDate))
        HeaderMetadata.complete(&date, from: metadata)
        return (HeaderMetadata.root(metadata), [date, PersonWriter.write(contents.profile, metadata: metadata)])
    }

    // MARK: - Samples

    private func writePages(of type: TypeDescription, to pipeline: PiecePipeline) throws {
        let selection = options.selection
        var pages: [(header: PageHeader, body: [UInt8], beats: [Int: RecordBeats.Placed])] = []
        var beats = RecordBeats.canHaveSeries(type) ? RecordBeats(contents: contents) : nil
        var count = 0
        func submit() throws {
            let batch = pages
            pages = []
            count = 0
            try pipeline.submit { piece in
                for page in batch { try piece.records.write(page.header, page.body, page.beats, selection, to: piece) }
            }
        }
        try contents.visitPages(of: type.code, in: selection) { header, body in
            let lists = try beats?.elements(of: header, body, selection, offset: style.dates.offset) ?? [:]
            pages.append((header, Array(body), lists))
            count += header.count
            if count >= Self.recordsInPiece { try submit() }
            return true
        }
        if count > 0 { try submit() }
        guard let series = beats?.placed else { return }
        placed.formUnion(series)
        if !series.isEmpty { tally.written[HeartbeatSeriesReader.type, default: 0] += series.count }
        written += series.count
    }
}

extension TypeDescription {
    /// The rank of the type's elements in an archive: samples, correlations, workouts, summaries, documents.
    fileprivate var archiveRank: Int {
        // If an identifier is in two families, the one without a suffix must come first, so that it keeps the plain
        // identifier when the archive is imported.
        let isSuffixed = RecordStyle.identifier(self) != identifier
        return switch kind {
        case .quantity, .category: isSuffixed ? 2 : 0
        case .document where code >= .firstUnknown: isSuffixed ? 3 : 1
        case .correlation: isSuffixed ? 5 : 4
        case .workout: 6
        case .activitySummary: 7
        case .characteristic, .series, .document: 8
        }
    }
}
