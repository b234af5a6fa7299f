import HealthModel

/// Reads the observations of an archive's clinical document (`export_cda.xml`) sequentially.
///
/// Everything else is ignored, so the second root element that iOS writes, or damage elsewhere, does no harm;
/// unreadable parts are skipped.
struct ClinicalDocumentReader: ~Copyable {
    private var window: ScanWindow
    private var attributes = TagAttributes()
    /// The number of observations that could not be read.
    private(set) var unreadable = 0
    /// Whether the document ended within an observation or could not be read to its end.
    private(set) var isCutOff = false

    init(source: any ByteSource, chunkSize: Int = 1 << 20) {
        window = ScanWindow(source: source, chunkSize: chunkSize)
    }

    /// The next observation; `nil` at the end of the document.
    mutating func next() -> ClinicalObservation? {
        while true {
            window.position = TagScanner.find(UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            guard window.position < window.count else {
                guard refill() else { return nil }
                continue
            }
            switch TagScanner.scan(window.base, at: window.position, end: window.count, into: &attributes) {
            case .needsMore:
                guard !refill() else { continue }
                // A comment or the like without an end goes to the end of the document. Looking behind each such
                // beginning would take time in proportion to the square of its length.
                let next = window.position + 1 < window.count ? window.base[window.position + 1] : 0
                if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
                    isCutOff = true
                    window.position = window.count
                } else {
                    window.position += 1
                }
            case .malformed(let resume):
                window.position = max(resume, window.position + 1)
            case .tag(let tag):
                guard tag.kind == .open, tag.name.bytes(in: window.base).elementsEqual("observation".utf8) else {
                    window.position = tag.end
                    continue
                }
                if let observation = read(tag) { return observation }
            }
        }
    }

    /// Reads the observation at the window's position and moves past it. Returns `nil` if it is unreadable, or if more
    /// of it must be read first.
    private mutating func read(_ tag: ScannedTag) -> ClinicalObservation? {
        var parts = ElementReader.maximumPartCount
        switch ElementReader.read(window.base, from: tag, end: window.count, &attributes, parts: &parts) {
        case .needsMore:
            guard !refill() else { return nil }
            isCutOff = true
            unreadable += 1
            window.position += 1
        case .malformed(let resume, _):
            unreadable += 1
            window.position = max(resume, window.position + 1)
        case .tooManyParts:
            unreadable += 1
            window.position += 1
        case .element(let element, let end):
            window.position = end
            if let observation = ClinicalObservation(element) { return observation }
            unreadable += 1
        }
        return nil
    }

    private mutating func refill() -> Bool {
        do {
            return try window.refill()
        } catch {
            // The report contains what was compared so far.
            isCutOff = true
            return false
        }
    }
}

/// The parts of an observation in a clinical document that can be compared with a sample.
struct ClinicalObservation: Hashable {
    /// HealthKit's type identifier.
    var type: String
    var value: Double
    var unit: String
    var start: Double
    var end: Double

    /// Reads an `observation` element; `nil` for one without HealthKit's type, a number or a date.
    init?(_ element: ArchivedElement) {
        // HealthKit's data is in elements inside the observation's text.
        guard let text = element.child("text"), let type = text.child("type")?.content, !type.isEmpty,
            let value = text.child("value")?.content ?? element.child("value")?["value"],
            let number = ArchiveNumber.parse(value), number.isFinite, let time = element.child("effectiveTime"),
            let start = Self.instant(time.child("low")?["value"] ?? time["value"])
        else { return nil }
        self.type = type
        self.value = number
        unit = text.child("unit")?.content ?? element.child("value")?["unit"] ?? ""
        self.start = start
        end = Self.instant(time.child("high")?["value"]) ?? start
    }

    /// The instant of `yyyyMMddHHmmss±ZZZZ`; `nil` for any other text.
    static func instant(_ text: String?) -> Double? {
        guard let text, text.utf8.count == 19 else { return nil }
        let digits = Array(text)
        guard digits.count == 19 else { return nil }
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        return ArchiveDate.parse(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8)) \(part(8..<10)):\(part(10..<12)):\(part(12..<14)) \(part(14..<19))"
        )
    }
}

extension ArchivedElement {
    /// The first child of this name.
    fileprivate func child(_ name: String) -> ArchivedElement? { children.first { $0.name == name } }

    /// The text, without surrounding white space.
    fileprivate var content: String? {
        let text = children.filter { $0.name == ElementReader.textName }.compactMap { $0["value"] }.joined()
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(text[first...last])
    }
}
