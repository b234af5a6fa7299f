import HealthEngine
import HealthModel
import HealthStorage

/// The stored samples and objects that an import has matched so far, a value that each committed batch replaces.
struct ImportMatchState: Sendable {
    /// The store's last sequence when the import began; higher ones were added since. 0 before.
    private(set) var before: Int64 = 0
    private var hasBegun = false
    /// Sequences that applications and other imports allocated since: those between this import's batches.
    private var meanwhile = ImportedSequences()
    /// The store's last sequence after the last batch.
    private var last: Int64 = 0
    /// Whether the store held samples or objects of a type before the import.
    private var contentsBefore: [TypeCode: Bool] = [:]
    /// Stored samples and objects of others that are equal to an item of the archive.
    private var matched = SequenceBits()
    /// Stored samples of others that were counted as members of a stored correlation.
    private var counted = SequenceBits()
    /// The corrected workouts with what they were, and the last sequence of others when they were read.
    private var corrections: (list: [(original: OriginalWorkout, corrected: StoredObject)], last: Int64)?
    /// Samples that this import added as members of correlations and that have not matched a separate sample yet.
    private var members: [TypeCode: Set<Int64>] = [:]

    // MARK: - The store before the import

    /// Records the store's last sequence when the import or its next batch begins. What others have stored since the
    /// last batch can be matched like what was there before.
    mutating func recordBeginning(_ lastSequence: Int64) {
        defer { (last, hasBegun) = (lastSequence, true) }
        guard hasBegun else {
            before = lastSequence
            return
        }
        if lastSequence > last {
            meanwhile.append(last + 1...lastSequence)
            contentsBefore = contentsBefore.filter { $0.value }
        }
    }

    /// Records the last sequence that the current batch allocated; `nil` if it allocated none.
    mutating func recordEnd(_ lastSequence: Int64?) {
        last = max(last, lastSequence ?? last)
    }

    /// The last sequence that this import did not allocate.
    var lastForeign: Int64 { meanwhile.ranges.last?.upperBound ?? before }

    /// Whether this import did not allocate a sequence of the store.
    private func isForeign(_ sequence: Int64) -> Bool {
        sequence <= before || (!meanwhile.ranges.isEmpty && meanwhile.contains(sequence))
    }

    /// Whether the store held samples, or objects, of a type before the import. A type has either.
    mutating func hadContents(of type: TypeCode, _ find: () throws -> Bool) rethrows -> Bool {
        if let known = contentsBefore[type] { return known }
        let found = try find()
        contentsBefore[type] = found
        return found
    }

    /// The store's corrected workouts with what they were. They are read again when others have written something.
    mutating func corrections(
        _ read: () throws -> [(original: OriginalWorkout, corrected: StoredObject)]
    ) rethrows -> [(original: OriginalWorkout, corrected: StoredObject)] {
        if let corrections, corrections.last == lastForeign { return corrections.list }
        let list = try read()
        corrections = (list, lastForeign)
        return list
    }

    /// Reads the corrected workouts again, because some may have been removed.
    mutating func forgetCorrections() { corrections = nil }

    // MARK: - Matches

    /// Whether a stored sample or object can still match an item of the archive.
    func isFree(_ sequence: Int64, of type: TypeCode) -> Bool {
        if isForeign(sequence) { return !matched.contains(sequence) }
        return members[type]?.contains(sequence) ?? false
    }

    /// Matches a stored sample or object with an item of the archive. Returns whether it is to be counted: it existed
    /// before the import, was not added by it as a member, and has not been counted as one.
    mutating func match(_ sequence: Int64, of type: TypeCode) -> Bool {
        guard isForeign(sequence) else {
            members[type]?.remove(sequence)
            return false
        }
        matched.insert(sequence)
        return !counted.contains(sequence)
    }

    /// Matches stored samples with equal ones of the archive, up to the first that is not free. Returns how many were
    /// matched, and how many of those are to be counted.
    mutating func matchRun(_ sequences: ArraySlice<Int64>) -> (matched: Int, counted: Int) {
        var length = 0
        var known = 0
        for sequence in sequences {
            guard isForeign(sequence), matched.insert(sequence) else { break }
            length += 1
            if counted.contains(sequence) { known += 1 }
        }
        return (length, length - known)
    }

    /// Whether a stored sample that is a member of a correlation of the archive is to be counted: it existed before the
    /// import, and no item of the archive has been counted for it. It can still match a separate sample.
    mutating func countMember(_ sequence: Int64) -> Bool {
        isForeign(sequence) && !matched.contains(sequence) && counted.insert(sequence)
    }

    /// Whether a stored sample or object of others has matched an item of the archive.
    func isMatched(_ sequence: Int64) -> Bool { matched.contains(sequence) }

    /// Records a sample that was added as a member.
    mutating func addMember(_ sequence: Int64, of type: TypeCode) {
        members[type, default: []].insert(sequence)
    }

    /// The samples that this import added as members and that have not matched a separate sample.
    var addedMembers: [(type: TypeCode, sequence: Int64)] {
        members.sorted { $0.key < $1.key }.flatMap { type, sequences in sequences.sorted().map { (type, $0) } }
    }

    func hasFreeMembers(of type: TypeCode) -> Bool {
        members[type].map { !$0.isEmpty } ?? false
    }
}
