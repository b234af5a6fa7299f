import Foundation
import HealthFiles
import HealthModel

extension ArchiveParser {
    /// Start tags of the children of `HealthData`. After damage, reading resumes at the next of them.
    private static let landmarks: [StaticString] = [
        "<Record ", "<Workout ", "<Correlation ", "<ActivitySummary ", "<ClinicalRecord ", "<Audiogram ",
        "<VisionPrescription ", "</HealthData", "<ExportDate ", "<Me ",
    ]
    private static let maximumLandmarkLength = 20
    /// The names of the children that are read as trees.
    static let names = [
        "Workout", "ActivitySummary", "ClinicalRecord", "Audiogram", "VisionPrescription", "ExportDate", "Me",
    ]

    /// Whether a tag with this name, found inside a child of `HealthData`, starts the next child because the end tag
    /// of the current one is lost.
    static func isNeighbour(_ name: ByteRange, _ base: UnsafePointer<UInt8>, end: Int) -> Bool {
        landmarks.contains { TagScanner.hasPrefix($0, base, at: name.start - 1, end: end) }
    }

    /// Counts an element that is left out.
    mutating func skip(_ type: String, at start: Int, because reason: String) {
        findings.skip(line: window.line(at: start), type: type, reason: reason)
    }

    /// Counts an irregularity.
    mutating func report(_ text: String, at start: Int, count: Int = 1) {
        findings.report(text, count: count, line: window.line(at: start))
    }

    /// Counts a damaged element and moves to the next intact one.
    ///
    /// - Parameters:
    ///   - start: The offset of the element.
    ///   - resume: The offset at which the damage was found.
    mutating func recover(at start: Int, resume: Int, reason: String) throws {
        skip(elementName(at: start), at: start, because: reason)
        try resumeAtLandmark(from: max(resume, start + 1))
    }

    private func isLandmark(at position: Int) -> Bool {
        Self.landmarks.contains { TagScanner.hasPrefix($0, window.base, at: position, end: window.count) }
    }

    /// Moves to the next tag that starts a child of `HealthData`.
    private mutating func resumeAtLandmark(from position: Int) throws {
        window.position = position
        while true {
            window.position = TagScanner.find(UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            if window.count - window.position < Self.maximumLandmarkLength, !window.isAtEnd {
                if try refill() { continue }
            }
            if window.position >= window.count { return }
            if isLandmark(at: window.position) { return }
            if window.position + 1 < window.count, TagScanner.isLetter(window.base[window.position + 1]) {
                report("tag in or after a damaged element, left out", at: window.position)
            }
            window.position += 1
        }
    }

    /// Counts and skips the element at the window's start, which is too large for the window. A comment of that size
    /// is skipped without a report.
    mutating func skipOversized() throws {
        try skipElement(reason: "it is larger than \(options.maximumElementSize >> 20) MB")
    }

    /// Skips the markup at the window's position and counts it if it is an element.
    mutating func skipElement(reason: String) throws {
        let start = window.position
        if TagScanner.isLetter(window.base[start + 1]) {
            skip(oversizedType(at: start), at: start, because: reason)
        }
        var skipper = ElementSkipper()
        while true {
            switch skipper.skip(window.base, from: window.position, end: window.count) {
            case .done(let end):
                window.position = end
                return
            case .damaged(let place):
                return try resumeAtLandmark(from: place)
            case .needsMore:
                window.position = window.count
                guard try refill() else { return }
            }
        }
    }

    /// The type attribute of the record at `start`, or else the element's name.
    private func oversizedType(at start: Int) -> String {
        let mark = " type=\""
        let head = String(
            decoding: ByteRange(start: start, end: min(window.count, start + 512)).bytes(in: window.base), as: UTF8.self
        )
        guard let begin = head.range(of: mark)?.upperBound, let end = head[begin...].firstIndex(of: "\""),
            head[begin..<end].hasPrefix("HK")
        else { return elementName(at: start) }
        return String(head[begin..<end])
    }

    /// The name of the element at `start`, as far as it can be read.
    func elementName(at start: Int) -> String {
        var end = start + 1
        while end < window.count, end - start < 40, TagScanner.isLetter(window.base[end]) { end += 1 }
        return end > start + 1
            ? String(decoding: ByteRange(start: start + 1, end: end).bytes(in: window.base), as: UTF8.self) : "unknown"
    }
}
