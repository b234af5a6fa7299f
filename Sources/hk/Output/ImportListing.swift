import AppleHealthExport
import Foundation

/// The report of an import, as a table by type.
struct ImportListing {
    let report: ImportReport
    var isDryRun = false
    var mirrors = false

    var text: String {
        let removed = mirrors ? [("removed", report.removed)] : []
        let columns =
            [("added", report.added), ("already there", report.alreadyThere)] + removed + [("skipped", report.skipped)]
        let table = Table(ofTypes: columns) { (report.added[$0] ?? 0) + (report.alreadyThere[$0] ?? 0) }
        return table.text() + remarks
    }

    private var remarks: String {
        var text = ""
        if report.addedCount == 0, report.removedCount == 0, report.alreadyThereCount > 0 {
            text += "\nNothing new: the store already has everything in this archive.\n"
        }
        if isDryRun { text += "\nThis was a dry run. Nothing was changed.\n" }
        for remark in report.remarks { text += "\n\(remark)\n" }
        let skips = report.skips.filter { $0.byte == nil }
        if !skips.isEmpty {
            text += "\nNot understood:\n"
            for skip in skips.prefix(20) {
                let place = skip.line > 0 ? "line \(skip.line): " : ""
                text += "  \(place)\(TypeName.short(skip.type)), \(skip.reason)\n"
            }
            let rest = report.skippedCount - damages.count - min(20, skips.count)
            if rest > 0 { text += "  and \(NumberOutput.grouped(rest)) more\n" }
        }
        let groups = Dictionary(grouping: report.irregularities) { note, _ in
            note.hasSuffix("left out")
                ? "Left out" : note.contains("preserved") ? "Preserved, although unusual" : "Noted"
        }
        for title in ["Preserved, although unusual", "Noted", "Left out"] {
            let notes = Dictionary(uniqueKeysWithValues: (groups[title] ?? []).map { ($0.key, $0.value) })
            text += Self.irregularities(title, notes, limit: 20)
        }
        text += unread
        let rate = report.seconds > 0 ? Double(report.bytes) / report.seconds / 1_000_000 : 0
        return text
            + "\n\(NumberOutput.text(report.seconds, digits: 1)) s, \(NumberOutput.text(rate, digits: 0)) MB/s\n"
    }

    /// The places at which files are damaged, such as the end of a truncated one.
    private var damages: [ImportReport.Skip] { report.skips.filter { $0.byte != nil } }

    /// The files that were not read, or not to their end, each with the reason.
    private var unread: String {
        guard !report.unread.isEmpty || !damages.isEmpty else { return "" }
        let most = 5
        var text = "\nNot read:\n"
        for damage in damages.prefix(20) {
            text += "  byte \(damage.byte ?? 0): \(TypeName.short(damage.type)), \(damage.reason)\n"
        }
        for entry in report.unread {
            for file in entry.files.prefix(most) { text += "  \(file) \(entry.reason).\n" }
            let rest = entry.count - min(most, entry.files.count)
            if rest > 0 { text += "  and \(NumberOutput.grouped(rest)) more for the same reason\n" }
        }
        return text
    }

    /// The most frequent irregularities under a title, or nothing if there are none.
    static func irregularities(_ title: String, _ irregularities: [String: Int], limit: Int = .max) -> String {
        guard !irregularities.isEmpty else { return "" }
        var text = "\n\(title):\n"
        for (note, count) in irregularities.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }).prefix(limit) {
            text += "  \(NumberOutput.grouped(count)) × \(note)\n"
        }
        return text
    }
}

/// The report of an import in JSON: the file that `--report` writes, with sorted keys.
///
/// It contains no health value, date or metadata text.
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
    /// Whether the archive had been imported before, byte for byte, and was not read again.
    var known: Bool
    var dryRun: Bool
    var mirror: Bool
    var locale: String?
    var total: Counts
    /// By type identifier.
    var types: [String: Counts]
    var characteristics: Characteristics
    /// By folder name.
    var auxiliaryFiles: [String: ImportReport.AuxiliaryFileCount]
    /// The first skipped elements. `total` counts all of them.
    var skips: [ImportReport.Skip]
    var irregularities: [String: Int]
    /// The files that were not read, by the reason.
    var unread: [ImportReport.UnreadFiles]
    /// Sentences about the import as a whole.
    var remarks: [String]
    /// The line of the first occurrence of each irregularity.
    var irregularityLines: [String: Int]

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
        auxiliaryFiles = report.auxiliaryFiles
        skips = report.skips
        irregularities = report.irregularities
        unread = report.unread
        remarks = report.remarks
        irregularityLines = report.irregularityLines
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        var data = try encoder.encode(self)
        data.append(UInt8(ascii: "\n"))
        try ResultFile.write(data, to: path)
    }
}
