import HealthModel

/// What an import remembers from batch to batch.
struct BulkMemory: Sendable {
    /// The store's last sequence when the import began: what is above came after.
    private(set) var before: Int64?
    /// Types of which the store held no sample, or no object, before the import.
    private(set) var samplesBefore: [TypeCode: Bool] = [:]
    private(set) var objectsBefore: [TypeCode: Bool] = [:]
    /// Stored samples and objects from before that an item of the archive has been found equal to.
    private var claimed = SequenceBits()
    /// Stored samples from before that were counted as members of a stored correlation.
    private var counted = SequenceBits()
    /// Samples that this import added as members of correlations and has not met by themselves yet.
    private var members: [TypeCode: Set<Int64>] = [:]

    // What the batch under way changed.
    private var newlyClaimed: [Int64] = []
    private var newlyCounted: [Int64] = []
    private var membersBeforeBatch: [TypeCode: Set<Int64>] = [:]

    // MARK: Batches

    mutating func beginBatch() {
        newlyClaimed.removeAll(keepingCapacity: true)
        newlyCounted.removeAll()
        membersBeforeBatch = members
    }

    mutating func keepBatch() {
        newlyClaimed.removeAll(keepingCapacity: true)
        newlyCounted.removeAll()
        membersBeforeBatch = [:]
    }

    mutating func undoBatch() {
        for sequence in newlyClaimed { claimed.remove(sequence) }
        for sequence in newlyCounted { counted.remove(sequence) }
        newlyCounted.removeAll()
        newlyClaimed.removeAll(keepingCapacity: true)
        members = membersBeforeBatch
    }

    // MARK: What was there

    mutating func noteBeginning(_ lastSequence: Int64) -> Int64 {
        let sequence = before ?? lastSequence
        before = sequence
        return sequence
    }

    mutating func hadSamples(of type: TypeCode, _ find: () throws -> Bool) rethrows -> Bool {
        if let known = samplesBefore[type] { return known }
        let found = try find()
        samplesBefore[type] = found
        return found
    }

    mutating func hadObjects(of type: TypeCode, _ find: () throws -> Bool) rethrows -> Bool {
        if let known = objectsBefore[type] { return known }
        let found = try find()
        objectsBefore[type] = found
        return found
    }

    // MARK: Claims

    /// Whether a stored sample or object may still answer for one of the archive.
    func isFree(_ sequence: Int64, of type: TypeCode) -> Bool {
        if let before, sequence <= before { return !claimed.contains(sequence) }
        return members[type]?.contains(sequence) ?? false
    }

    /// Lets a stored sample or object answer for one of the archive. Returns whether it is to be counted: it
    /// was there before the import, not added by it as a member, and has not been counted as one.
    mutating func claim(_ sequence: Int64, of type: TypeCode) -> Bool {
        guard let before, sequence <= before else {
            members[type]?.remove(sequence)
            return false
        }
        if claimed.insert(sequence) { newlyClaimed.append(sequence) }
        return !counted.contains(sequence)
    }

    /// Lets stored samples answer for equal ones of the archive, and says how many: from the first to the
    /// one that may not; and how many of those are to be counted.
    mutating func claimRun(_ sequences: ArraySlice<Int64>) -> (taken: Int, counted: Int) {
        guard let before else { return (0, 0) }
        var taken = 0
        var known = 0
        for sequence in sequences {
            guard sequence <= before, claimed.insert(sequence) else { break }
            taken += 1
            if counted.contains(sequence) { known += 1 }
        }
        newlyClaimed.append(contentsOf: sequences.prefix(taken))
        return (taken, taken - known)
    }

    /// Whether a stored sample that a correlation of the archive has for a member is to be counted: it was
    /// there before, and nothing of the archive has been counted for it. It may still answer for a sample that
    /// stands by itself.
    mutating func countMember(_ sequence: Int64) -> Bool {
        guard let before, sequence <= before, !claimed.contains(sequence), counted.insert(sequence) else { return false }
        newlyCounted.append(sequence)
        return true
    }

    /// Whether a stored sample or object from before has been found in the archive.
    func isClaimed(_ sequence: Int64) -> Bool { claimed.contains(sequence) }

    /// Notes a sample added as a member.
    mutating func addMember(_ sequence: Int64, of type: TypeCode) {
        members[type, default: []].insert(sequence)
    }

    /// The samples that this import added as members and has not met by themselves.
    var addedMembers: [(type: TypeCode, sequence: Int64)] {
        members.sorted { $0.key < $1.key }.flatMap { type, sequences in sequences.sorted().map { (type, $0) } }
    }

    func hasFreeMembers(of type: TypeCode) -> Bool {
        members[type].map { !$0.isEmpty } ?? false
    }
}
