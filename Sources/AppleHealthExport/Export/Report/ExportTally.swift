import HealthModel

/// What a part of an export came to.
struct ExportTally {
    /// Samples and objects written, by type.
    var written: [TypeCode: Int] = [:]
    /// What the format has no place for, by type.
    var leftOut: [TypeCode: Int] = [:]
    /// What the supplement has because the format has no place for it, by type.
    var supplemented: [TypeCode: Int] = [:]
    /// What was written and is told in full by the supplement, by type.
    var completed: [TypeCode: Int] = [:]
    /// What could not be written exactly, by description.
    var notes: [String: Int] = [:]

    mutating func note(_ text: String, count: Int = 1) {
        if count > 0 { notes[text, default: 0] += count }
    }

    mutating func add(_ other: ExportTally) {
        written.merge(other.written, uniquingKeysWith: +)
        leftOut.merge(other.leftOut, uniquingKeysWith: +)
        supplemented.merge(other.supplemented, uniquingKeysWith: +)
        completed.merge(other.completed, uniquingKeysWith: +)
        notes.merge(other.notes, uniquingKeysWith: +)
    }
}
