import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// One export: goes through the store in the archive's order and asks for its pieces.
final class ExportRun {
    private let contents: StoreContents
    private let options: ExportOptions
    private let output: any ArchiveOutput
    private let progress: (@Sendable (ExportProgress) -> Void)?
    private let style: RecordStyle
    private var tally = ExportTally()
    private var written = 0
    private var total = 0
    private var textBytes = 0
    private var lastTold = 0

    /// About how many records make a piece: a megabyte or two of text.
    private static let recordsInPiece = 4_096
    /// How many objects make a piece, and how many numbers of their series.
    private static let objectsInPiece = 128
    private static let numbersInPiece = 1 << 18

    init(
        contents: StoreContents, options: ExportOptions, output: any ArchiveOutput,
        progress: (@Sendable (ExportProgress) -> Void)?
    ) {
        self.contents = contents
        self.options = options
        self.output = output
        self.progress = progress
        style = RecordStyle(
            dictionaries: contents.dictionaries, offset: options.timeZone.secondsFromGMT(for: options.exportDate))
    }

    /// What was done so far; sizes and times are the caller's.
    var report: ExportReport {
        var report = ExportReport()
        func named(_ counts: [TypeCode: Int]) -> [String: Int] {
            counts.reduce(into: [:]) { $0[contents.dictionaries.type($1.key)?.identifier ?? "unknown", default: 0] += $1.value }
        }
        report.written = named(tally.written)
        report.leftOut = named(tally.leftOut)
        report.notes = tally.notes
        report.xmlBytes = textBytes
        return report
    }

    /// Writes all files.
    func write() throws {
        let types = try contents.types().filter { options.selection.includes($0.code) }
        let paged = types.filter { $0.kind.isPaged }
        total = try paged.reduce(0) { try $0 + contents.countInPages(of: $1.code, in: options.selection) }
        try output.begin(ArchiveLayout.mainFile)
        let pipeline = PiecePipeline(
            output: output, style: style, cores: ProcessInfo.processInfo.activeProcessorCount
        ) { [self] in take($0) }
        let (preamble, ending) = (preamble(), "</HealthData>\n")
        try pipeline.submit { piece in
            piece.text.append(ArchiveDefinition.text)
            piece.text.append(preamble.opening)
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
    }

    private func take(_ piece: ExportPiece) {
        tally.add(piece.tally)
        written += piece.tally.written.values.reduce(0, +)
        textBytes += piece.text.count
        guard let progress, textBytes - lastTold >= 1 << 20 || written >= total else { return }
        lastTold = textBytes
        progress(ExportProgress(written: written, total: max(total, written), bytes: textBytes))
    }

    // MARK: What an archive begins with

    private func preamble() -> (opening: String, elements: [ArchivedElement]) {
        let notes = contents.importNotes
        var date = ArchivedElement(name: "ExportDate")
        date.append("value", style.date(options.exportDate.timeIntervalSinceReferenceDate))
        let locale = AttributeText.encode(notes["locale"] ?? "en_US")
        return (
            "<HealthData locale=\"\(locale)\">\n", [date, PersonWriter.write(contents.profile, notes: notes)]
        )
    }

    // MARK: Samples

    private func writePages(of type: TypeDescription, to pipeline: PiecePipeline) throws {
        let selection = options.selection
        var pages: [(header: PageHeader, body: [UInt8])] = []
        var count = 0
        func submit() throws {
            let batch = pages
            pages = []
            count = 0
            try pipeline.submit { piece in
                for page in batch { try piece.records.write(page.header, page.body, selection, to: piece) }
            }
        }
        try contents.visitPages(of: type.code, in: selection) { header, body in
            pages.append((header, Array(body)))
            count += header.count
            if count >= Self.recordsInPiece { try submit() }
            return true
        }
        if count > 0 { try submit() }
    }

    // MARK: Objects

    private func writeObjects(of type: TypeDescription, to pipeline: PiecePipeline) throws {
        var objects: [ObjectRecord] = []
        var numbers = 0
        func submit() throws {
            if type.kind == .correlation { try contents.fillMembers(of: &objects) }
            let (batch, style) = (objects, style)
            objects = []
            numbers = 0
            try pipeline.submit { piece in
                for object in batch {
                    if let element = ObjectElementWriter.write(object, style, &piece.tally) {
                        ElementMarkup.write(element, depth: 1, to: piece.text, &piece.tally)
                        piece.tally.written[object.type, default: 0] += 1
                    } else {
                        piece.tally.leftOut[object.type, default: 0] += 1
                    }
                }
            }
        }
        try contents.visitObjects(of: type.code, in: options.selection) { object in
            objects.append(object)
            if case .document(let body) = object.body { numbers += body.series.values.reduce(0) { $0 + $1.count } }
            if objects.count >= Self.objectsInPiece || numbers >= Self.numbersInPiece { try submit() }
            return true
        }
        if !objects.isEmpty { try submit() }
    }
}
