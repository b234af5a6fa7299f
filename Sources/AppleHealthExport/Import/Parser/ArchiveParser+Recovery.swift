import Foundation
import HealthModel

extension ArchiveParser {
    /// Elements that stand directly in `HealthData`: after damage, reading goes on at the next of them.
    private static let landmarks: [StaticString] = [
        "<Record ", "<Workout ", "<Correlation ", "<ActivitySummary ", "<ClinicalRecord ", "<Audiogram ",
        "<VisionPrescription ", "</HealthData", "<ExportDate ", "<Me ",
    ]
    private static let longestLandmark = 20

    /// Whether a tag with this name, inside a record or correlation, is where the next element begins: the
    /// end of the one before is lost.
    func isNeighbour(_ name: ByteRange) -> Bool {
        let (base, end) = (window.base, window.count)
        return Self.landmarks.contains { TagScanner.hasPrefix($0, base, at: name.start - 1, end: end) }
    }

    /// Counts a broken element and moves on to the next whole one. `start` is where the element begins,
    /// `resume` where its damage was noticed.
    mutating func recover(at start: Int, resume: Int, reason: String) throws {
        findings.skip(line: window.line(at: start), type: elementName(at: start), reason: reason)
        window.position = max(resume, start + 1)
        while true {
            window.position = TagScanner.find(
                UInt8(ascii: "<"), window.base, from: window.position, end: window.count)
            if window.count - window.position < Self.longestLandmark, !window.isAtEnd {
                if try refill() { continue }
            }
            if window.position >= window.count { return }
            let (base, position, end) = (window.base, window.position, window.count)
            if Self.landmarks.contains(where: { TagScanner.hasPrefix($0, base, at: position, end: end) }) { return }
            window.position += 1
        }
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
