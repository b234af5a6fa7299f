public import Foundation

/// How far an application has read: everything up to one place of a store's growing sequence.
///
/// An anchor belongs to the store that gave it. Given to another store, or to one that has lost what came
/// after (restored from an older copy), it counts as none at all: everything is reported again, because
/// reporting twice can be noticed and a gap cannot. The original does not publish what happens there.
/// Anchors never change and may be used from any thread. They are equal when they name the same place
/// of the same store.
///
/// An archived anchor is read back with `NSKeyedUnarchiver`. Foundation's on Linux throws for most damage
/// but ends the process for some; keep a checksum beside bytes that may rot.
// Unchecked: every stored property is constant and Sendable.
open class HKQueryAnchor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The store's identity; `nil` for an anchor made from a number, which fits any store.
    let store: UUID?
    /// The last sequence number read; 0 before the first.
    let sequence: Int64

    init(store: UUID?, sequence: Int64) {
        self.store = store
        self.sequence = sequence
        super.init()
    }

    /// An anchor from the number that queries used before anchors were objects;
    /// ``HKAnchoredObjectQueryNoAnchor`` is the beginning.
    public convenience init(fromValue value: Int) {
        self.init(store: nil, sequence: Int64(value))
    }

    /// Where to read on in a store: 0, the beginning, when the anchor says nothing about that store.
    func position(in store: UUID, lastSequence: Int64) -> Int64 {
        guard self.store == nil || self.store == store, (0...lastSequence).contains(sequence) else {
            return 0
        }
        return sequence
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Coding

    private struct Record: Codable {
        var store: UUID?
        var sequence: Int64
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(Record(store: store, sequence: sequence), with: coder)
    }

    /// `nil` for bytes that are no anchor.
    public required convenience init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(Record.self, from: coder), record.sequence >= 0 else {
            return nil
        }
        self.init(store: record.store, sequence: record.sequence)
    }

    // MARK: Equality

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryAnchor else { return false }
        return store == other.store && sequence == other.sequence
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(store)
        hasher.combine(sequence)
        return hasher.finalize()
    }

    open override var description: String { "<HKQueryAnchor \(sequence)>" }
}
