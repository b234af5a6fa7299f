/// What a parser came across beside what it understood.
struct ImportFindings: Sendable {
    /// Elements that were left out, by type identifier or element name.
    private(set) var skipped: [String: Int] = [:]
    /// The first of them, with line and reason.
    private(set) var skips: [ImportReport.Skip] = []
    /// Out of the ordinary but kept, by description.
    private(set) var notes: [String: Int] = [:]
    /// The line on which each of those was first met, where it has one.
    private(set) var noteLines: [String: Int] = [:]
    private let reasonsKept: Int

    /// An archive may hold any number of different oddities; the report need not.
    private static let notesKept = 1_000

    init(reasonsKept: Int) {
        self.reasonsKept = reasonsKept
    }

    mutating func skip(line: @autoclosure () -> Int, type: String, reason: String) {
        let key = skipped[type] == nil && skipped.count >= Self.notesKept ? "others" : type
        skipped[key, default: 0] += 1
        if skips.count < reasonsKept { skips.append(.init(line: line(), type: type, reason: reason)) }
    }

    mutating func note(_ text: String, count: Int, line: @autoclosure () -> Int? = nil) {
        let key = notes[text] == nil && notes.count >= Self.notesKept ? "others" : text
        if notes[key] == nil { noteLines[key] = line() }
        notes[key, default: 0] += count
    }
}
