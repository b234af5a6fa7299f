import Foundation
import HealthModel

extension ArchiveParser {
    /// Elements that stand directly in `HealthData`: after damage, reading goes on at the next of them.
    private static let landmarks: [StaticString] = [
        "<Record ", "<Workout ", "<Correlation ", "<ActivitySummary ", "<ClinicalRecord ", "<Audiogram ",
        "<VisionPrescription ", "</HealthData", "<ExportDate ", "<Me ",
    ]
    private static let longestLandmark = 20
    /// The names of those that are read as trees.
    static let names = ["Workout", "ActivitySummary", "ClinicalRecord", "Audiogram", "VisionPrescription", "ExportDate", "Me"]

    /// Whether a tag with this name, inside an element that stands directly in `HealthData`, is where the next
    /// such element begins: the end of the one before is lost.
    static func isNeighbour(_ name: ByteRange, _ base: UnsafePointer<UInt8>, end: Int) -> Bool {
        landmarks.contains { TagScanner.hasPrefix($0, base, at: name.start - 1, end: end) }
    }

    /// Counts a broken element and moves on to the next whole one. `start` is where the element begins,
    /// `resume` where its damage was noticed.
    mutating func recover(at start: Int, resume: Int, reason: String) throws {
        let line = window.line(at: start)
        let name = elementName(at: start)
        findings.skip(line: line, type: name, reason: reason)
        try resumeAtLandmark(from: max(resume, start + 1))
    }

    private func isLandmark(at position: Int) -> Bool {
        Self.landmarks.contains { TagScanner.hasPrefix($0, window.base, at: position, end: window.count) }
    }

    /// Moves on to the next element that stands directly in `HealthData`, as far as that can be told.
    private mutating func resumeAtLandmark(from position: Int) throws {
        window.position = position
        while true {
            window.position = TagScanner.find(
                UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            if window.count - window.position < Self.longestLandmark, !window.isAtEnd {
                if try refill() { continue }
            }
            if window.position >= window.count { return }
            if isLandmark(at: window.position) { return }
            if window.position + 1 < window.count, TagScanner.isLetter(window.base[window.position + 1]) {
                findings.note(
                    "tag within or behind something damaged, left out", count: 1, line: window.line(at: window.position))
            }
            window.position += 1
        }
    }

    /// Counts an element that is too large for the window, which it fills from its first byte on, and steps
    /// over it without keeping it. A comment of that size is stepped over like any other.
    mutating func skipOversized() throws {
        try skipElement(reason: "it is larger than \(options.greatestElement >> 20) MB")
    }

    /// Counts what begins at the window's position, if it is an element, and steps over it.
    mutating func skipElement(reason: String) throws {
        let start = window.position
        if TagScanner.isLetter(window.base[start + 1]) {
            findings.skip(line: window.line(at: start), type: oversizedType(at: start), reason: reason)
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

    /// The type a record begins with, or else the element's name.
    private func oversizedType(at start: Int) -> String {
        let mark = " type=\""
        let head = String(
            decoding: ByteRange(start: start, end: min(window.count, start + 512)).bytes(in: window.base), as: UTF8.self)
        guard let begin = head.range(of: mark)?.upperBound, let end = head[begin...].firstIndex(of: "\""),
            head[begin..<end].hasPrefix("HK")
        else { return elementName(at: start) }
        return String(head[begin..<end])
    }

    /// What the element that begins at `start` is called, as far as that can be read.
    func elementName(at start: Int) -> String {
        var end = start + 1
        while end < window.count, end - start < 40, TagScanner.isLetter(window.base[end]) { end += 1 }
        return end > start + 1
            ? String(decoding: ByteRange(start: start + 1, end: end).bytes(in: window.base), as: UTF8.self)
            : "unknown"
    }
}
