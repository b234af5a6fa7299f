import Foundation
import HealthEngine

extension ArchiveImporter {
    /// Which way of reading this is. To be raised when the same bytes would be understood otherwise.
    static let reader = 2

    /// What is reported of an archive beside its counts, when it is known by its bytes.
    private struct Summary: Codable {
        var skipped: [String: Int]
        var skips: [ImportReport.Skip]
        var notes: [String: Int]
        var noteLines: [String: Int]
        var companions: [String: ImportReport.Companions]
        var characteristics: [String]
        var exportDate: Double?
        var locale: String?
        var bytes: Int
    }

    /// Whether the archive is the one imported last and all of it is still there; then the report says
    /// what that import found.
    ///
    /// Mirroring looks at every stored sample anyway, and so does not ask.
    func isKnown(_ fingerprint: ArchiveFingerprint, _ report: inout ImportReport) throws -> Bool {
        guard options.knowsBytes, !options.mirrors, let known = try engine.knownArchive(),
            known.reader == Self.reader, fingerprint.isPossible(known.fingerprint),
            let summary = try? JSONDecoder().decode(Summary.self, from: Data(known.summary.utf8)),
            try fingerprint.text() == known.fingerprint
        else { return false }
        report.alreadyThere = known.counts
        report.skipped = summary.skipped
        report.skips = Array(summary.skips.prefix(max(0, options.reasonsKept)))
        report.notes = summary.notes
        report.noteLines = summary.noteLines
        report.companions = summary.companions
        report.characteristics = summary.characteristics
        report.exportDate = summary.exportDate
        report.locale = summary.locale
        report.bytes = summary.bytes
        report.isKnown = true
        if let zone = options.timeZone { try engine.keepImportNotes([HealthEngine.timeZoneNote: zone]) }
        return true
    }

    /// Remembers the archive that has just been read to its end.
    func remember(_ fingerprint: String, _ report: ImportReport) throws {
        let summary = Summary(
            skipped: report.skipped, skips: report.skips, notes: report.notes,
            noteLines: report.noteLines, companions: report.companions,
            characteristics: report.characteristics, exportDate: report.exportDate, locale: report.locale,
            bytes: report.bytes)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try engine.keepKnownArchive(
            KnownArchive(
                fingerprint: fingerprint, reader: Self.reader,
                counts: report.added.merging(report.alreadyThere, uniquingKeysWith: +),
                summary: String(decoding: try encoder.encode(summary), as: UTF8.self)))
    }
}
