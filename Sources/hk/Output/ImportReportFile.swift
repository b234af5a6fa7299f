import AppleHealthExport
import Foundation

/// What an import did, for programs: the file that `--report` writes. Keys stand in alphabetical order;
/// there is no health value, date or metadata text in it.
struct ImportReportFile: Encodable {
    struct Counts: Encodable {
        var added: Int
        var alreadyThere: Int
        var removed: Int
        var skipped: Int
    }

    struct Characteristics: Encodable {
        var given: [String]
        var added: [String]
    }

    var file: String
    var bytes: Int
    var seconds: Double
    /// Whether the archive's bytes were known, so that it was not read again.
    var known: Bool
    var dryRun: Bool
    var mirror: Bool
    var locale: String?
    var total: Counts
    /// By type identifier.
    var types: [String: Counts]
    var characteristics: Characteristics
    /// By the name of their folder.
    var companions: [String: ImportReport.Companions]
    /// The first elements that were left out; `total` counts all of them.
    var skips: [ImportReport.Skip]
    var notes: [String: Int]
    /// Where each of them was first met.
    var noteLines: [String: Int]

    init(_ report: ImportReport, isDryRun: Bool, mirrors: Bool) {
        file = report.file
        bytes = report.bytes
        seconds = (report.seconds * 1_000).rounded() / 1_000
        known = report.isKnown
        dryRun = isDryRun
        mirror = mirrors
        locale = report.locale
        total = Counts(
            added: report.addedCount, alreadyThere: report.alreadyThereCount, removed: report.removedCount,
            skipped: report.skippedCount)
        types = [:]
        for tally in [report.added, report.alreadyThere, report.removed, report.skipped] {
            for type in tally.keys where types[type] == nil {
                types[type] = Counts(
                    added: report.added[type] ?? 0, alreadyThere: report.alreadyThere[type] ?? 0,
                    removed: report.removed[type] ?? 0, skipped: report.skipped[type] ?? 0)
            }
        }
        characteristics = Characteristics(
            given: report.characteristics.sorted(), added: report.characteristicsAdded.sorted())
        companions = report.companions
        skips = report.skips
        notes = report.notes
        noteLines = report.noteLines
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        var data = try encoder.encode(self)
        data.append(UInt8(ascii: "\n"))
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
