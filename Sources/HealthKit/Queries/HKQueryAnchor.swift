public import Foundation

/// A position in a store's growing sequence of changes, up to which an application has read.
///
/// An anchor belongs to the store that returned it. Another store, or one that was restored from an older copy,
/// ignores it and reports everything again, because an application can detect duplicates but not gaps. Apple
/// does not document this case. Anchors are immutable and may be used from any thread. They are equal if they
/// are the same position in the same store.
///
/// An archived anchor is read with `NSKeyedUnarchiver`. On Linux, Foundation throws for most damaged archives
/// but ends the process for some; keep a checksum with bytes that may be damaged.
// Unchecked: every stored property is constant and Sendable.
open class HKQueryAnchor: _ValueObject, @unchecked Sendable {
    /// The store's identity; `nil` for an anchor made from a number, which is valid in any store.
    let store: UUID?
    /// The last sequence number read; 0 before the first.
    let sequence: Int64

    init(store: UUID?, sequence: Int64) {
        self.store = store
        self.sequence = sequence
    }

    /// Creates an anchor from a number, as queries used before anchors were objects;
    /// ``HKAnchoredObjectQueryNoAnchor`` is the beginning.
    public convenience init(fromValue value: Int) {
        self.init(store: nil, sequence: Int64(value))
    }

    /// Returns the position in a store; 0, the beginning, if the anchor is not valid there.
    func position(in store: UUID, lastSequence: Int64) -> Int64 {
        guard self.store == nil || self.store == store, (0...lastSequence).contains(sequence) else {
            return 0
        }
        return sequence
    }

    // MARK: Coding

    private struct Record: Codable, Hashable {
        var store: UUID?
        var sequence: Int64
    }

    override var archivedRecord: any Codable & Hashable { Record(store: store, sequence: sequence) }

    /// Returns `nil` for a damaged archive.
    public required convenience init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(Record.self, from: coder), record.sequence >= 0 else {
            return nil
        }
        self.init(store: record.store, sequence: record.sequence)
    }

    open override var description: String { "<HKQueryAnchor \(sequence)>" }
}
