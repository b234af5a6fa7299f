import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// One export: goes through the store in the archive's order and asks for its pieces.
final class ExportRun {
    let contents: StoreContents
    let options: ExportOptions
    let output: any ArchiveOutput
    private let progress: (@Sendable (ExportProgress) -> Void)?
    let style: RecordStyle
    /// Tells what the format cannot; `nil` where that is not asked for, or there is no place for another file.
    let supplement: SupplementWriter?
    /// Decides which objects are told in it.
    var plain: PlainContent
    /// What has files; see ``writeAttachments(to:)``.
    var attachmentOwners: Set<UUID> = []
    /// Those whose files the format has a place for, and which are not told in the supplement.
    var plainOwners: Set<UUID> = []
    /// Electrocardiograms to be told in the supplement, by the path of their file.
    var toldElectrocardiograms: [String: Int64] = [:]
    var tally = ExportTally()
    /// The files to be written beside the main one.
    var companions: ExportCompanions
    /// Sequences of objects that stand within the element of another one.
    var placed: Set<Int64> = []
    private var written = 0
    private var total = 0
    private var textBytes = 0
    /// Bytes of the main file, as soon as it is complete.
    private var mainBytes: Int?
    private var lastTold = 0

    /// About how many records make a piece: a megabyte or two of text.
    private static let recordsInPiece = 4_096

    init(
        contents: StoreContents, options: ExportOptions, output: any ArchiveOutput,
        progress: (@Sendable (ExportProgress) -> Void)?
    ) throws {
        self.contents = contents
        self.options = options
        self.output = output
        self.progress = progress
        let isSupplemented = options.writesSupplement && output.takesCompanions
        var style = RecordStyle(
            dictionaries: contents.dictionaries, offset: options.timeZone.secondsFromGMT(for: options.exportDate),
            isSupplemented: isSupplemented)
        if isSupplemented {
            style.identities = contents.identities
            var owners: Set<UUID> = []
            try contents.visitAttachments(in: options.selection) { owner, type, _ in
                owners.insert(owner)
                style.toldTypes.insert(type)
            }
            attachmentOwners = owners
        }
        self.style = style
        supplement = isSupplemented ? SupplementWriter(dictionaries: contents.dictionaries) : nil
        plain = PlainContent(dictionaries: contents.dictionaries)
        companions = ExportCompanions(offset: style.dates.offset)
    }

    /// What was done so far; sizes and times are the caller's.
    var report: ExportReport {
        var report = ExportReport()
        func named(_ counts: [TypeCode: Int]) -> [String: Int] {
            counts.reduce(into: [:]) { $0[contents.dictionaries.type($1.key)?.identifier ?? "unknown", default: 0] += $1.value }
        }
        report.written = named(tally.written)
        report.leftOut = named(tally.leftOut)
        report.supplemented = named(tally.supplemented)
        report.completed = named(tally.completed)
        report.hasSupplement = supplement?.isEmpty == false
        report.notes = tally.notes
        report.xmlBytes = mainBytes ?? textBytes
        report.companions = companions.files.count
        return report
    }

    /// Writes all files.
    func write() throws {
        let types = try contents.types().filter { options.selection.includes($0.code) }
        let paged = types.filter { $0.kind.isPaged }
        total = try paged.reduce(0) { try $0 + contents.countInPages(of: $1.code, in: options.selection) }
        let pipeline = PiecePipeline(
            output: output, style: style, cores: ProcessInfo.processInfo.activeProcessorCount
        ) { [self] in try take($0) }
        let (preamble, ending) = (preamble(), "</HealthData>\n")
        try pipeline.submit(beginning: ArchiveLayout.mainFile) { piece in
            piece.text.append(ArchiveDefinition.text)
            piece.text.append("<" + preamble.root.name)
            ElementMarkup.writeAttributes(of: preamble.root, to: piece.text, &piece.tally)
            piece.text.append(">\n" as StaticString)
            for element in preamble.elements { ElementMarkup.write(element, depth: 1, to: piece.text, &piece.tally) }
        }
        for type in types.sorted(by: { ExportOrder($0) < ExportOrder($1) }) {
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
        try writeCompanions(to: pipeline)
        try pipeline.drain()
    }

    private func take(_ piece: ExportPiece) throws {
        tally.add(piece.tally)
        try supplement?.take(piece)
        written += piece.tally.written.values.reduce(0, +)
        textBytes += piece.text.count
        guard let progress, textBytes - lastTold >= 1 << 20 || written >= total else { return }
        lastTold = textBytes
        progress(ExportProgress(written: written, total: max(total, written), bytes: textBytes))
    }

    // MARK: What an archive begins with

    private func preamble() -> (root: ArchivedElement, elements: [ArchivedElement]) {
        let notes = contents.importNotes
        var date = ArchivedElement(name: HeadNotes.export)
        date.append("value", style.date(options.exportDate.timeIntervalSinceReferenceDate))
        HeadNotes.complete(&date, from: notes)
        return (HeadNotes.root(notes), [date, PersonWriter.write(contents.profile, notes: notes)])
    }

    // MARK: Samples

    private func writePages(of type: TypeDescription, to pipeline: PiecePipeline) throws {
        let selection = options.selection
        var pages: [(header: PageHeader, body: [UInt8], beats: [Int: RecordBeats.Placed])] = []
        var beats = RecordBeats.mayStand(under: type) ? RecordBeats(contents: contents) : nil
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
        guard let series = beats?.placed, let type = TypeCatalog.description(for: HeartbeatSeriesReader.identifier) else {
            return
        }
        placed.formUnion(series)
        if !series.isEmpty { tally.written[type.code, default: 0] += series.count }
        written += series.count
    }
}
