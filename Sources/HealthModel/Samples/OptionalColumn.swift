public import Foundation

/// An entry of an ``OptionalColumn``, which has a representation of “missing”.
public protocol OptionalColumnEntry: Sendable {
    /// The entry of a row that has none.
    static var missing: Self { get }
    /// A Boolean value that indicates whether the row has no entry.
    var isMissing: Bool { get }
}

extension Double: OptionalColumnEntry {
    /// NaN.
    @inlinable public static var missing: Double { .nan }
    /// Whether this is NaN.
    @inlinable public var isMissing: Bool { isNaN }
}

extension Optional: OptionalColumnEntry where Wrapped == UUID {
    /// `nil`.
    @inlinable public static var missing: UUID? { nil }
    /// Whether this is `nil`.
    @inlinable public var isMissing: Bool { self == nil }
}

/// A column whose entries are usually missing.
///
/// It is either empty, which means that no row has an entry, or has one entry for each row. As a collection it is the
/// array of entries.
public struct OptionalColumn<Entry: OptionalColumnEntry>: Sendable {
    /// One entry for each row, or none at all.
    public var entries: [Entry]

    /// Creates a column in which every entry is missing.
    @inlinable
    public init() {
        entries = []
    }

    /// Creates a column of these entries.
    @inlinable
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Returns the entry of a row, which may be missing.
    @inlinable
    public func entry(at row: Int) -> Entry {
        row < entries.count ? entries[row] : .missing
    }

    /// A Boolean value that indicates whether any row has an entry.
    public var hasEntries: Bool { entries.contains { !$0.isMissing } }

    /// Appends missing entries until there are `count`.
    public mutating func fill(to count: Int) {
        guard entries.count < count else { return }
        entries.append(contentsOf: repeatElement(.missing, count: count - entries.count))
    }

    /// Appends the entry of row number `row`.
    package mutating func append(_ entry: Entry, atRow row: Int) {
        guard !entries.isEmpty || !entry.isMissing else { return }
        fill(to: row)
        entries.append(entry)
    }

    /// Appends the entries of some of another column's rows, from row number `first` on.
    mutating func append(_ rows: some RowSelection, of other: OptionalColumn, atRow first: Int) {
        if other.entries.isEmpty {
            if !entries.isEmpty { fill(to: first + rows.count) }
            return
        }
        guard !entries.isEmpty || rows.contains(where: { !other.entries[Int($0)].isMissing }) else { return }
        fill(to: first)
        rows.copy(other.entries, to: &entries)
    }
}

extension OptionalColumn: Equatable where Entry: Equatable {}

extension OptionalColumn: ExpressibleByArrayLiteral {
    /// Creates a column of these entries.
    public init(arrayLiteral elements: Entry...) {
        entries = elements
    }
}

extension OptionalColumn: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of entries.
    @inlinable public var endIndex: Int { entries.count }

    /// The entry at an index of ``entries``.
    @inlinable
    public subscript(index: Int) -> Entry {
        get { entries[index] }
        _modify { yield &entries[index] }
    }

    /// Replaces a range of entries.
    @inlinable
    public mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Entry>
    ) {
        entries.replaceSubrange(subrange, with: newElements)
    }

    /// Appends an entry.
    @inlinable
    public mutating func append(_ newElement: Entry) {
        entries.append(newElement)
    }

    /// Reserves memory for entries.
    @inlinable
    public mutating func reserveCapacity(_ minimumCapacity: Int) {
        entries.reserveCapacity(minimumCapacity)
    }

    /// Calls `body` with the entries in memory.
    @inlinable
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<Entry>) throws -> Result
    ) rethrows -> Result? {
        try entries.withContiguousStorageIfAvailable(body)
    }
}
