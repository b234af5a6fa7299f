import HealthEngine
import HealthModel

/// Reads an export's main file from front to back, makes batches of what it says and hands them to a
/// sink. One parser reads one file, on one thread.
///
/// Nearly all of a file is records that look like one before but for dates and value; those take the
/// short way of ``ArchiveParser+Templates.swift``. Everything else goes tag by tag. Both ways give the
/// same, which the tests check.
struct ArchiveParser: ~Copyable {
    /// What a parser may be told.
    struct Options {
        var batchSize = 262_144
        var chunkSize = 1 << 20
        var reasonsKept = 100
        /// An element of more bytes is stepped over.
        var greatestElement = ScanWindow.greatestElement
        /// One of more parts likewise.
        var greatestPartCount = ElementReader.greatestPartCount
        /// Whether the short way is taken; tests compare with it off.
        var usesTemplates = true
    }

    let options: Options
    let sourceName: String
    /// What lies beside the file.
    let companions: any CompanionFiles
    var window: ScanWindow
    var attributes = TagAttributes()
    var nouns = NounTable()
    var types: TypeTable
    var templates = TemplateTable()
    /// Dates of samples; creation dates have their own cursor, as they may fall on the next day.
    var dates = DateCursor()
    var creationDates = DateCursor()
    /// Objects of the batch that is being read.
    var objects: [ObjectRecord] = []
    /// Objects that belong to one of them.
    var parts: [BulkBatch.Part] = []
    /// Files that are kept with one of them.
    var attachments: [BulkBatch.Attachment] = []
    /// Types that some of them have with or without their file.
    var otherTypes: [BulkBatch.OtherTypes] = []
    /// What lies in the folder of such files, once somebody has asked.
    var attachmentFolder: AttachmentFolder?
    /// How heavy the batch is that is being read, in records of its columns.
    var batchRecords = 0
    /// Records understood so far.
    var records = 0
    var header = ArchiveHeader()
    /// What the sink knows of the header.
    private var introduced: ArchiveHeader?
    var findings: ImportFindings
    private let sink: any ArchiveSink

    init(
        source: any ByteSource, companions: any CompanionFiles = NoCompanions(),
        knownTypes: [TypeDescription] = [], options: Options, sink: any ArchiveSink
    ) {
        self.options = options
        self.companions = companions
        self.sink = sink
        sourceName = source.name
        window = ScanWindow(
            source: source, chunkSize: options.chunkSize, greatestElement: options.greatestElement)
        types = TypeTable(known: knownTypes)
        findings = ImportFindings(reasonsKept: options.reasonsKept)
    }

    /// Reads the whole file. Throws ``ImportError`` for one that ends too early or is no export, and what
    /// the sink throws; batches handed over before stay so.
    mutating func run() throws {
        try readProlog()
        while try readNext() {
            if batchRecords >= options.batchSize { try flush() }
        }
        try takeElectrocardiograms()
        try flush()
        try introduce()
        try readRest()
        if window.controlBytes > 0 {
            findings.note("control characters that XML does not allow, kept", count: window.controlBytes)
        }
        if window.encoding.faults > 0 {
            findings.note("bytes that are not UTF-8, replaced by U+FFFD", count: window.encoding.faults)
        }
        sink.advance(bytes: window.bytesRead, records: records)
    }

    /// Reads what follows the end of `HealthData`: a zip's checksum covers it too, and a file that goes
    /// on there was put together by somebody.
    private mutating func readRest() throws {
        // Behind the first tag, text is part of what is told of already.
        var isFirst = true
        while true {
            if isFirst {
                stepToTag()
            } else {
                window.position = TagScanner.find(
                    UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            }
            // Near the window's end a name might be cut in two.
            if window.count - window.position < 48, try refill() { continue }
            guard window.position < window.count else { return }
            if window.position + 1 < window.count, TagScanner.isLetter(window.base[window.position + 1]) {
                findings.skip(
                    line: window.line(at: window.position), type: elementName(at: window.position),
                    reason: "it stands after the end of HealthData")
            }
            window.position += 1
            isFirst = false
        }
    }

    /// Reads on; false at the end of the stream.
    mutating func refill() throws -> Bool {
        let more = try window.refill()
        sink.advance(bytes: window.bytesRead, records: records)
        return more
    }

    /// Hands over what has been gathered.
    mutating func flush() throws {
        guard batchRecords > 0 || !objects.isEmpty else { return }
        var dictionaries = nouns.dictionaries
        dictionaries.types = types.unknown
        let batch = BulkBatch(
            columns: types.takeColumns(), objects: objects, parts: parts, attachments: attachments,
            otherTypes: otherTypes, dictionaries: dictionaries)
        objects = []
        otherTypes = []
        parts = []
        attachments = []
        batchRecords = 0
        try introduce()
        try sink.take(batch)
    }

    /// Tells the sink whose archive it is, unless it knows.
    private mutating func introduce() throws {
        guard introduced != header else { return }
        introduced = header
        try sink.meet(header)
    }

    /// Moves to the next `<` and scans what it begins; `nil` at the end of the stream. A tag is looked at
    /// where it stands: ``ScanWindow/position`` is its `<`.
    mutating func scanTag() throws -> TagOutcome? {
        while true {
            stepToTag()
            if window.position < window.count {
                let outcome = TagScanner.scan(
                    window.base, at: window.position, end: window.count, into: &attributes)
                if case .needsMore = outcome {} else { return outcome }
            }
            do {
                if try !refill() { return window.position < window.count ? .needsMore : nil }
            } catch is OversizedElement {
                try skipOversized()
            }
        }
    }

    /// Moves to the next `<`, or to the window's end. Between elements there should be blanks only.
    private mutating func stepToTag() {
        let start = window.position
        window.position = TagScanner.find(UInt8(ascii: "<"), window.base, from: start, end: window.count)
        var place = start
        while place < window.position {
            guard TagScanner.isBlank(window.base[place]) else {
                // The mark that some editors put before everything says nothing.
                let isMark = window.bytesBefore == 0 && start == 0 && window.position == 3 && window.base[0] == 0xEF
                if !isMark, !isWithinText { skipText(at: place) }
                isWithinText = window.position == window.count
                return
            }
            place += 1
        }
        if window.position < window.count { isWithinText = false }
    }

    /// Counts text that stands directly in `HealthData`, before it or after it. It may be what is left of an
    /// element that lost its first byte.
    private mutating func skipText(at place: Int) {
        findings.skip(line: window.line(at: place), type: HeadNotes.root, reason: "text between its elements is left out")
    }

    /// Counts the text of a CDATA section between elements, the aside at the window's position.
    private mutating func skipText(ofSection tag: ScannedTag) {
        if ElementReader.text(window.base, ofSection: window.position, tag) != nil { skipText(at: window.position) }
    }

    /// Whether text between elements went on to the window's end, so that what follows belongs to it.
    private var isWithinText = false

    /// Steps up to the inside of `HealthData`.
    private mutating func readProlog() throws {
        while true {
            guard case .tag(let tag)? = try scanTag() else {
                throw ImportError(.notAnExport, "“\(sourceName)” is no Apple Health export: it has no HealthData element.")
            }
            if tag.kind == .aside {
                noteEntities(in: window.position..<tag.end)
                skipText(ofSection: tag)
                window.position = tag.end
                continue
            }
            let root = ElementReader.element(window.base, tag, attributes)
            guard root.name == HeadNotes.root, tag.kind != .close else {
                throw ImportError(.notAnExport, "“\(sourceName)” is no Apple Health export: its first element is not HealthData.")
            }
            let line = window.line(at: window.position)
            header.locale = root["locale"]
            header.others = root.attributes.filter { $0.name != "locale" }
            findings.noteOddities(of: root, line: line)
            if attributes.hasOverflowed {
                findings.skip(line: line, type: HeadNotes.root, reason: "attributes beyond \(TagAttributes.greatestCount) are left out")
            }
            window.position = tag.end
            isFinished = tag.kind == .empty
            return
        }
    }

    /// Counts the entities a document type declares. They are never followed, and references to them stay
    /// as they are written: an export has none, and what has them may be made to grow without end.
    private mutating func noteEntities(in range: Range<Int>) {
        var position = range.lowerBound
        while true {
            position = TagScanner.find(UInt8(ascii: "<"), window.base, from: position, end: range.upperBound)
            guard position < range.upperBound else { return }
            if TagScanner.hasPrefix("<!ENTITY", window.base, at: position, end: range.upperBound) {
                findings.note("entity declarations, not followed", count: 1, line: window.line(at: position))
            }
            position += 1
        }
    }

    /// Whether the end of `HealthData` has been read.
    private var isFinished = false

    /// Reads some of what is inside `HealthData`; false when its end has been read.
    private mutating func readNext() throws -> Bool {
        if isFinished { return false }
        if options.usesTemplates { readByTemplates() }
        if batchRecords >= options.batchSize { return true }
        guard let outcome = try scanTag() else { throw truncated() }
        switch outcome {
        case .needsMore:
            throw truncated()
        case .malformed(let resume):
            try recover(at: window.position, resume: resume, reason: "its tag is malformed")
        case .tag(let tag):
            switch tag.kind {
            case .aside:
                skipText(ofSection: tag)
                window.position = tag.end
            case .close:
                isFinished = tag.name.bytes(in: window.base).elementsEqual(HeadNotes.root.utf8)
                if !isFinished {
                    findings.note("end tag without a beginning, left out", count: 1, line: window.line(at: window.position))
                }
                window.position = tag.end
            case .open, .empty:
                try readElement(tag)
            }
        }
        return true
    }

    /// Reads one child of `HealthData`, whose tag has just been scanned, reading on as long as it takes.
    private mutating func readElement(_ first: ScannedTag) throws {
        var tag = first
        while true {
            if try readWhole(tag) { return }
            do {
                guard try refill() else { throw truncated() }
            } catch is OversizedElement {
                return try skipOversized()
            }
            // The window has moved, and with it the tag; only its attributes must be found again.
            guard case .tag(let again)? = try scanTag() else { throw truncated() }
            tag = again
        }
    }

    /// False where the window ends within the element.
    private mutating func readWhole(_ tag: ScannedTag) throws -> Bool {
        let name = tag.name.bytes(in: window.base)
        if name.elementsEqual("Record".utf8) { return try readRecord(tag) }
        if name.elementsEqual("Correlation".utf8) { return try readCorrelation(tag) }
        let start = window.position
        let isKnown = Self.names.contains { name.elementsEqual($0.utf8) }
        var parts = options.greatestPartCount
        // What may be inside an element that nobody knows, nobody knows.
        switch ElementReader.read(
            window.base, from: tag, end: window.count, &attributes, parts: &parts,
            isNeighbour: { [base = window.base, end = window.count] in isKnown && Self.isNeighbour($0, base, end: end) })
        {
        case .needsMore:
            return false
        case .malformed(let resume, let reason):
            try recover(at: start, resume: resume, reason: reason)
        case .tooManyParts:
            try skipElement(reason: ElementReader.tooManyParts)
        case .element(let element, let end):
            take(element, at: start)
            window.position = end
        }
        return true
    }

    private func truncated() -> ImportError {
        ImportError(
            .truncated,
            "“\(sourceName)” is truncated: it ends at byte \(window.bytesRead), on line \(window.line(at: window.count)), before the end of HealthData.")
    }
}
