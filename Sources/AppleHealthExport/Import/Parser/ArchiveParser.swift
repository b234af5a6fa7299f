import HealthEngine
import HealthFiles
import HealthImport
import HealthModel

/// Reads an export's main file sequentially and passes its contents to a sink in batches. A parser reads one file,
/// on one thread.
///
/// Nearly all records of a file equal an earlier one except for dates and value; those take the fast path in
/// ArchiveParser+Templates.swift. All other markup is read tag by tag. The tests check that both paths give the same
/// result.
struct ArchiveParser: ~Copyable {
    struct Options {
        var batchSize = 262_144
        var chunkSize = 1 << 20
        var maximumReasons = 100
        /// The largest element that is read, in bytes; larger ones are skipped.
        var maximumElementSize = ScanWindow.maximumElementSize
        /// The largest number of parts of an element that is read.
        var maximumPartCount = ElementReader.maximumPartCount
        /// Whether the fast path is used; tests compare with it off.
        var usesTemplates = true
        /// Whether a file that ends before `HealthData` does is read up to its end.
        var recoversDamagedArchives = false
    }

    let options: Options
    let sourceName: String
    let auxiliaryFiles: any AuxiliaryFiles
    var window: ScanWindow
    var attributes = TagAttributes()
    var dictionaryTable = ArchiveDictionaries()
    var types: TypeTable
    var templates = TemplateTable()
    /// The dates of samples. Creation dates have a separate cursor because they may be on the next day.
    var dates = DateCursor()
    var creationDates = DateCursor()
    /// The objects of the current batch.
    var objects: [ObjectRecord] = []
    /// Objects that belong to one of ``objects``.
    var parts: [BulkBatch.Part] = []
    /// Files attached to one of ``objects``.
    var attachments: [BulkBatch.Attachment] = []
    /// Types that some of them have with or without their file.
    var alternateTypes: [BulkBatch.AlternateTypes] = []
    /// The contents of the attachment folder, once it has been listed.
    var attachmentFolder: AttachmentFolder?
    /// The weight of the current batch in records; see ``BatchWeight``.
    var batchRecords = 0
    /// The number of records read so far.
    var records = 0
    var header = ArchiveHeader()
    /// The header as the sink last received it.
    private var sentHeader: ArchiveHeader?
    var findings: ImportFindings
    private let sink: any ArchiveSink

    init(
        source: any ByteSource, auxiliaryFiles: any AuxiliaryFiles = NoAuxiliaryFiles(),
        knownTypes: [TypeDescription] = [], options: Options, sink: any ArchiveSink
    ) {
        self.options = options
        self.auxiliaryFiles = auxiliaryFiles
        self.sink = sink
        sourceName = source.name
        window = ScanWindow(
            source: source, chunkSize: options.chunkSize, maximumElementSize: options.maximumElementSize)
        types = TypeTable(known: knownTypes)
        findings = ImportFindings(maximumReasons: options.maximumReasons)
    }

    /// Reads the whole file. Throws ``ImportError`` if it is truncated or not an export, and the errors of the sink.
    mutating func run() throws {
        try readProlog()
        while try readNext() {
            if batchRecords >= options.batchSize { try flush() }
        }
        try readElectrocardiograms()
        try flush()
        try sendHeader()
        try readRest()
        if window.controlBytes > 0 {
            findings.report("control characters that XML does not allow, preserved", count: window.controlBytes)
        }
        if window.encoding.faults > 0 {
            findings.report("bytes that are not UTF-8, replaced by U+FFFD", count: window.encoding.faults)
        }
        sink.advance(bytes: window.bytesRead, records: records)
    }

    /// Reads the rest of the file after the end of `HealthData`, so that a zip's checksum is verified and elements
    /// there are reported.
    private mutating func readRest() throws {
        // Text after the first tag belongs to an element already reported.
        var isFirst = true
        while true {
            if isFirst {
                stepToTag()
            } else {
                window.position = TagScanner.find(
                    UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            }
            // A name near the window's end may be incomplete.
            if window.count - window.position < 48, try refill() { continue }
            guard window.position < window.count else { return }
            if window.position + 1 < window.count, TagScanner.isLetter(window.base[window.position + 1]) {
                let name = elementName(at: window.position)
                skip(name, at: window.position, because: "it comes after the end of HealthData")
            }
            window.position += 1
            isFirst = false
        }
    }

    /// Reads more of the stream. Returns false at its end.
    mutating func refill() throws -> Bool {
        let more = try window.refill()
        sink.advance(bytes: window.bytesRead, records: records)
        return more
    }

    /// Passes the current batch to the sink.
    mutating func flush() throws {
        guard batchRecords > 0 || !objects.isEmpty else { return }
        var dictionaries = dictionaryTable.dictionaries
        dictionaries.types = types.unknown
        let batch = BulkBatch(
            columns: types.takeColumns(), objects: objects, parts: parts, attachments: attachments,
            alternateTypes: alternateTypes, dictionaries: dictionaries)
        objects = []
        alternateTypes = []
        parts = []
        attachments = []
        batchRecords = 0
        try sendHeader()
        try sink.append(batch)
    }

    /// Passes the header to the sink if it has changed.
    private mutating func sendHeader() throws {
        guard sentHeader != header else { return }
        sentHeader = header
        try sink.readHeader(header)
    }

    /// Moves ``ScanWindow/position`` to the next `<` and scans the tag there; `nil` at the end of the stream.
    mutating func scanTag() throws -> TagOutcome? {
        while true {
            stepToTag()
            if window.position < window.count {
                let outcome = TagScanner.scan(window.base, at: window.position, end: window.count, into: &attributes)
                if case .needsMore = outcome {} else { return outcome }
            }
            do {
                if try !refill() { return window.position < window.count ? .needsMore : nil }
            } catch is OversizedElement {
                try skipOversized()
            }
        }
    }

    /// Moves to the next `<` or to the window's end. Only white space is expected between elements.
    private mutating func stepToTag() {
        let start = window.position
        window.position = TagScanner.find(UInt8(ascii: "<"), window.base, from: start, end: window.count)
        var place = start
        while place < window.position {
            guard TagScanner.isBlank(window.base[place]) else {
                // Some editors write a byte order mark.
                let isMark = window.bytesBefore == 0 && start == 0 && window.position == 3 && window.base[0] == 0xEF
                if !isMark, !isWithinText { skipText(at: place) }
                isWithinText = window.position == window.count
                return
            }
            place += 1
        }
        if window.position < window.count { isWithinText = false }
    }

    /// Counts text directly in `HealthData`, before it or after it. It may be the rest of an element that lost its
    /// first byte.
    private mutating func skipText(at place: Int) {
        skip(HeaderMetadata.root, at: place, because: "text between its elements is left out")
    }

    /// Counts the text of the CDATA section at the window's position.
    private mutating func skipText(ofSection tag: ScannedTag) {
        if ElementReader.text(window.base, ofSection: window.position, tag) != nil { skipText(at: window.position) }
    }

    /// Whether the last window ended within text between elements.
    private var isWithinText = false

    /// Reads up to the start tag of `HealthData`.
    private mutating func readProlog() throws {
        while true {
            guard case .tag(let tag)? = try scanTag() else {
                throw ImportError(
                    .notAnExport, "“\(sourceName)” is not an Apple Health export: it has no HealthData element.")
            }
            if tag.kind == .aside {
                reportEntities(in: window.position..<tag.end)
                skipText(ofSection: tag)
                window.position = tag.end
                continue
            }
            let root = ElementReader.element(window.base, tag, attributes)
            guard root.name == HeaderMetadata.root, tag.kind != .close else {
                throw ImportError(
                    .notAnExport, "“\(sourceName)” is not an Apple Health export: its first element is not HealthData.")
            }
            let line = window.line(at: window.position)
            header.locale = root["locale"]
            header.others = root.attributes.filter { $0.name != "locale" }
            findings.reportUnknownContent(of: root, line: line)
            if attributes.hasOverflowed {
                findings.skip(
                    line: line, type: HeaderMetadata.root,
                    reason: "attributes beyond \(TagAttributes.maximumCount) are left out")
            }
            window.position = tag.end
            isFinished = tag.kind == .empty
            return
        }
    }

    /// Counts the entities that a document type declares. References to them are never expanded and are kept as
    /// written: exports have none, and nested entities could expand without end.
    private mutating func reportEntities(in range: Range<Int>) {
        var position = range.lowerBound
        while true {
            position = TagScanner.find(UInt8(ascii: "<"), window.base, from: position, end: range.upperBound)
            guard position < range.upperBound else { return }
            if TagScanner.hasPrefix("<!ENTITY", window.base, at: position, end: range.upperBound) {
                report("entity declarations, not expanded", at: position)
            }
            position += 1
        }
    }

    /// Whether the end of `HealthData` has been read.
    private var isFinished = false
    /// Whether the file has ended before.
    private(set) var isTruncated = false

    /// Reads the next children of `HealthData`. Returns false at its end.
    private mutating func readNext() throws -> Bool {
        if isFinished { return false }
        if options.usesTemplates { readByTemplates() }
        if batchRecords >= options.batchSize { return true }
        guard let outcome = try scanTag() else { return try endEarly() }
        switch outcome {
        case .needsMore:
            return try endEarly()
        case .malformed(let resume):
            try recover(at: window.position, resume: resume, reason: "its tag is malformed")
        case .tag(let tag):
            switch tag.kind {
            case .aside:
                skipText(ofSection: tag)
                window.position = tag.end
            case .close:
                isFinished = tag.name.bytes(in: window.base).elementsEqual(HeaderMetadata.root.utf8)
                if !isFinished {
                    report("end tag without a start tag, left out", at: window.position)
                }
                window.position = tag.end
            case .open, .empty:
                try readElement(tag)
            }
        }
        return true
    }

    /// Reads the child of `HealthData` whose tag has just been scanned, refilling the window as needed.
    private mutating func readElement(_ first: ScannedTag) throws {
        var tag = first
        while true {
            if try readWhole(tag) { return }
            do {
                guard try refill() else {
                    _ = try endEarly()
                    return
                }
            } catch is OversizedElement {
                return try skipOversized()
            }
            // The window has moved, and the tag with it.
            guard case .tag(let again)? = try scanTag() else {
                _ = try endEarly()
                return
            }
            tag = again
        }
    }

    /// Reads an element. Returns false if the window ends within it.
    private mutating func readWhole(_ tag: ScannedTag) throws -> Bool {
        let name = tag.name.bytes(in: window.base)
        let isCorrelation = name.elementsEqual("Correlation".utf8)
        if isCorrelation || name.elementsEqual("Record".utf8) {
            return try readSamples(tag, isCorrelation: isCorrelation)
        }
        let start = window.position
        let isKnown = Self.names.contains { name.elementsEqual($0.utf8) }
        var parts = options.maximumPartCount
        // An unknown element may contain anything.
        switch ElementReader.read(
            window.base, from: tag, end: window.count, &attributes, parts: &parts,
            isNeighbour: { [base = window.base, end = window.count] in isKnown && Self.isNeighbour($0, base, end: end) }
        )
        {
        case .needsMore:
            return false
        case .malformed(let resume, let reason):
            try recover(at: start, resume: resume, reason: reason)
        case .tooManyParts:
            try skipElement(reason: ElementReader.tooManyParts)
        case .element(let element, let end):
            add(element, at: start)
            window.position = end
        }
        return true
    }

    /// Ends the reading of a truncated file. Throws unless the part that is there is to be kept; returns false.
    private mutating func endEarly() throws -> Bool {
        let line = window.line(at: window.count)
        guard options.recoversDamagedArchives else {
            throw ImportError.truncated(sourceName, byte: window.bytesRead, line: line)
        }
        findings.skip(line: line, type: HeaderMetadata.root, reason: "it is truncated here")
        isTruncated = true
        isFinished = true
        window.position = window.count
        return false
    }
}

/// The header of an export: its owner, date and locale. Attributes are kept as read.
struct ArchiveHeader: Equatable, Sendable {
    /// The language and region of the iPhone.
    var locale: String?
    /// The other attributes of the root element.
    var others: [ArchivedElement.Attribute] = []
    /// The `ExportDate` element.
    var export: ArchivedElement?
    /// The `Me` element, whose attributes are the person's characteristics by identifier.
    var person: ArchivedElement?

    /// The date of the export as text.
    var exportDate: String? { export?["value"] }
    /// The person's characteristics by identifier.
    var characteristics: [ArchivedElement.Attribute] { person?.attributes ?? [] }
}

/// The destination of a parser's batches.
protocol ArchiveSink: AnyObject {
    /// Called with the header before the first batch and whenever more of it has been read. An error ends the
    /// import before the next batch.
    func readHeader(_ header: ArchiveHeader) throws
    /// Appends a batch of the export, in file order.
    func append(_ batch: BulkBatch) throws
    /// Called with the number of bytes and records read so far.
    func advance(bytes: Int, records: Int)
}
