import HealthStorage

/// When a store was changed, to the quarter of an hour. Samples and deletions have a sequence, but no time at which they
/// were stored; their own dates say when something was measured.
///
/// The first change of each quarter of an hour records the sequence before it; every day of every time zone begins with
/// a quarter. Only the first commit of a quarter writes more.
struct ChangeTimes {
    static let namespace = "changeTimes"
    static let interval = 900.0

    /// The number of the quarter of an hour since 2001.
    private let quarter: Int

    init(at time: Double) {
        quarter = Int((time / Self.interval).rounded(.down))
    }

    /// Whether the first change of this time is known to be recorded, by what ``record(_:in:)`` was called for last.
    func isRecorded(_ last: ChangeTimes?) -> Bool { last?.quarter == quarter }

    /// Records the sequence before a change, unless there was one before it.
    func record(_ sequence: Int64, in transaction: any StorageTransaction) throws {
        guard try transaction.value(namespace: Self.namespace, key: String(quarter)) == nil else { return }
        try transaction.setValue(Array(String(sequence).utf8), namespace: Self.namespace, key: String(quarter))
    }

    /// Returns the position after which everything was changed at this time or later.
    ///
    /// A clock that was set back can have changed things of this time before others: the position is then that of the
    /// first one.
    func position(in snapshot: any StorageSnapshot) throws -> ChangePosition {
        var position = ChangePosition(sequence: try snapshot.lastSequence(), time: Double(quarter) * Self.interval)
        for (key, value) in try snapshot.values(namespace: Self.namespace) {
            guard let number = Int(key), let sequence = Int64(String(decoding: value, as: UTF8.self)) else {
                throw StorageError(.damaged, "A setting in “\(Self.namespace)” cannot be read.")
            }
            if number >= quarter { position.sequence = min(position.sequence, sequence) }
        }
        return position
    }
}

/// A position in the sequence of changes, found by a time.
package struct ChangePosition: Hashable, Sendable {
    /// The sequence after which everything was changed at ``time`` or later.
    package var sequence: Int64
    /// The time: the beginning of the quarter of an hour that was asked for, in seconds since 2001.
    package var time: Double
}

extension HealthEngine {
    /// Returns the position after which everything was added or deleted at this time or later, in seconds since 2001.
    package func changePosition(since time: Double) throws -> ChangePosition {
        try storage.read { try ChangeTimes(at: time).position(in: $0) }
    }
}
