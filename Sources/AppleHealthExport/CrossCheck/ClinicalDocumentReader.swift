import HealthModel

/// Reads the observations of an archive's clinical document (`export_cda.xml`) from front to back.
///
/// Nothing else of the document is looked at, so it makes no difference that it has two roots where there are
/// vital signs, or where it is broken: what cannot be read is stepped over.
struct ClinicalDocumentReader: ~Copyable {
    private var window: ScanWindow
    private var attributes = TagAttributes()
    /// Observations that could not be understood.
    private(set) var unreadable = 0
    /// Whether the document ended within an observation, or could not be read to its end.
    private(set) var isCutOff = false

    init(source: any ByteSource, chunkSize: Int = 1 << 20) {
        window = ScanWindow(source: source, chunkSize: chunkSize)
    }

    /// The next observation; `nil` at the end of the document.
    mutating func next() -> ClinicalObservation? {
        while true {
            window.position = TagScanner.find(
                UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            guard window.position < window.count else {
                guard refill() else { return nil }
                continue
            }
            switch TagScanner.scan(window.base, at: window.position, end: window.count, into: &attributes) {
            case .needsMore:
                if !refill() { window.position += 1 }
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

    /// Reads the observation at the window's position and moves past it; `nil` where it is none that can be
    /// understood, or more of it must be read first.
    private mutating func read(_ tag: ScannedTag) -> ClinicalObservation? {
        var parts = ElementReader.greatestPartCount
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
            // A check that cannot be finished still says what it has found.
            isCutOff = true
            return false
        }
    }
}
