public import Foundation

/// Samples of one type, column by column: what pages are encoded from and decoded into.
///
/// Every column has ``count`` entries, except that an empty column of units, devices, metadata, UUIDs or creation dates
/// means that no row has one. A column that was not asked for when a page was decoded is empty, too. Numbers of units,
/// source revisions and devices refer to the store's tables (see ``StoreDictionaries``); 0 means none.
package struct SampleColumns: Sendable {
    /// The type of all rows.
    package var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package var starts: [Double] = []
    /// Seconds since 2001-01-01 00:00:00 UTC, each at or after its row's start.
    package var ends: [Double] = []
    /// Quantities in the unit of the same row, or raw category values.
    package var values: [Double] = []
    /// Unit numbers; 0 for categories.
    package var units: [UInt32] = []
    /// Source revision numbers.
    package var revisions: [UInt32] = []
    /// Device numbers; 0 where the sample has no device.
    package var devices: [UInt32] = []
    /// Metadata.
    package var metadata = MetadataColumn()
    /// Positions in the store's sequence.
    package var sequences: [Int64] = []
    /// Identities given by applications; `nil` where the identity is derived from the sequence.
    package var uuids = OptionalColumn<UUID?>()
    /// Creation dates given by archives, in seconds since 2001-01-01 00:00:00 UTC; NaN where there is none.
    package var creations = OptionalColumn<Double>()

    /// Creates columns without rows.
    package init(type: TypeCode) {
        self.type = type
    }

    /// The number of samples: the length of the longest column.
    package var count: Int {
        var longest = 0
        forEachLength { _, length in longest = max(longest, length) }
        return longest
    }

    /// Returns the metadata of a row.
    package func metadata(at row: Int) -> Metadata {
        metadata[row]
    }

    /// Returns the identity given to the sample in a row, if any.
    @inlinable
    package func uuid(at row: Int) -> UUID? {
        uuids.entry(at: row)
    }

    /// Returns the creation date of the sample in a row, if any.
    package func creation(at row: Int) -> Double? {
        let creation = creations.entry(at: row)
        return creation.isMissing ? nil : creation
    }

    /// Returns whether every column has `count` entries. Those in `optional` may be empty instead.
    package func areComplete(count: Int, optional: SampleColumnSet) -> Bool {
        var areComplete = true
        forEachLength { column, length in
            if length != count, length != 0 || !optional.contains(column) { areComplete = false }
        }
        return areComplete
    }

    // MARK: Every column

    @inline(__always)
    private func forEachLength(_ body: (SampleColumnSet, Int) -> Void) {
        body(.starts, starts.count)
        body(.ends, ends.count)
        body(.values, values.count)
        body(.units, units.count)
        body(.revisions, revisions.count)
        body(.devices, devices.count)
        body(.metadata, metadata.count)
        body(.sequences, sequences.count)
        body(.uuids, uuids.count)
        body(.creations, creations.count)
    }

    /// Appends some of another's rows, from row number `first` on. Columns that only one side has are unchanged, except
    /// those in which empty means none.
    private mutating func append(
        _ rows: some RowSelection, of other: SampleColumns, atRow first: Int, _ renumbering: inout MetadataRenumbering
    ) {
        rows.copy(other.starts, to: &starts)
        rows.copy(other.ends, to: &ends)
        rows.copy(other.values, to: &values)
        rows.copy(other.units, to: &units)
        rows.copy(other.revisions, to: &revisions)
        rows.copy(other.devices, to: &devices)
        metadata.append(rows, of: other.metadata, atRow: first, &renumbering)
        rows.copy(other.sequences, to: &sequences)
        uuids.append(rows, of: other.uuids, atRow: first)
        creations.append(rows, of: other.creations, atRow: first)
    }

    /// Reserves memory for the columns that every row has.
    package mutating func reserveCapacity(_ count: Int) {
        starts.reserveCapacity(count)
        ends.reserveCapacity(count)
        values.reserveCapacity(count)
        units.reserveCapacity(count)
        revisions.reserveCapacity(count)
        devices.reserveCapacity(count)
        metadata.numbers.reserveCapacity(count)
        sequences.reserveCapacity(count)
    }
}

// MARK: - Rows

extension SampleColumns {
    /// Appends a sample in the store's numbers.
    ///
    /// - Parameter interner: The interner of the table of ``metadata``.
    package mutating func append(
        _ sample: SampleRecord, unit: UInt32, revision: UInt32, device: UInt32, sequence: Int64,
        _ interner: inout MetadataInterner
    ) {
        let row = starts.count
        starts.append(sample.start)
        ends.append(sample.end)
        values.append(sample.value)
        units.append(unit)
        revisions.append(revision)
        devices.append(device)
        metadata.numbers.append(interner.number(of: sample.metadata, in: &metadata.table))
        sequences.append(sequence)
        uuids.append(sample.uuid, atRow: row)
        creations.append(sample.creation ?? .missing, atRow: row)
    }

    /// Appends some of another's rows, in the order given. Both sides hold the same columns.
    package mutating func append(_ other: SampleColumns, rows: [Int]) {
        var renumbering = MetadataRenumbering()
        append(rows, of: other, atRow: count, &renumbering)
    }

    /// Appends a run of another's rows. Both sides hold the same columns.
    /// - Parameter renumbering: What earlier runs of the same columns left; new for the first run.
    package mutating func append(
        _ other: SampleColumns, rows: Range<Int>, _ renumbering: inout MetadataRenumbering
    ) {
        append(rows, of: other, atRow: count, &renumbering)
    }

    /// Returns some of the rows, in the order given; the metadata table stays whole.
    package func permuted(by order: [Int32]) -> SampleColumns {
        var result = SampleColumns(type: type)
        result.metadata.table = metadata.table
        var renumbering = MetadataRenumbering.identity
        result.append(order, of: self, atRow: 0, &renumbering)
        return result
    }

    /// Returns the rows for which `isIncluded` is true, in order.
    package func filtered(_ isIncluded: (Int) -> Bool) -> SampleColumns {
        let count = count
        var result = SampleColumns(type: type)
        result.reserveCapacity(count)
        var renumbering = MetadataRenumbering()
        var (row, retained) = (0, 0)
        while row < count {
            var end = row
            while end < count, isIncluded(end) { end += 1 }
            if end > row { result.append(row..<end, of: self, atRow: retained, &renumbering) }
            retained += end - row
            row = end + 1
        }
        return result
    }

    /// Returns row numbers by start; rows of equal start keep their order.
    package func orderByStart() -> [Int32] {
        starts.withUnsafeBufferPointer { starts in
            // Swift's sort is stable in fact but not by promise: the row breaks ties.
            (0..<Int32(starts.count)).sorted { left, right in
                let leftStart = starts[Int(left)]
                let rightStart = starts[Int(right)]
                return leftStart < rightStart || (leftStart == rightStart && left < right)
            }
        }
    }

    /// Returns the rows of both, in order. All columns are complete, both sides are ordered by start and sequence, and
    /// every sequence of `newer` is above every one of these: at equal starts these rows come first.
    package func merged(with newer: SampleColumns, rows: Range<Int>) -> SampleColumns {
        var result = SampleColumns(type: type)
        result.reserveCapacity(starts.count + rows.count)
        var ownNumbers = MetadataRenumbering()
        var newNumbers = MetadataRenumbering()
        var own = 0
        var new = rows.lowerBound
        var row: Int { own + new - rows.lowerBound }
        while own < starts.count || new < rows.upperBound {
            var ownEnd = own
            if new < rows.upperBound {
                while ownEnd < starts.count, starts[ownEnd] <= newer.starts[new] { ownEnd += 1 }
            } else {
                ownEnd = starts.count
            }
            result.append(own..<ownEnd, of: self, atRow: row, &ownNumbers)
            own = ownEnd
            var newEnd = new
            if own < starts.count {
                while newEnd < rows.upperBound, newer.starts[newEnd] < starts[own] { newEnd += 1 }
            } else {
                newEnd = rows.upperBound
            }
            result.append(new..<newEnd, of: newer, atRow: row, &newNumbers)
            new = newEnd
        }
        return result
    }
}

/// Rows to be copied from one column to another: a run of them, or a list in any order.
protocol RowSelection: RandomAccessCollection where Element: BinaryInteger {
    /// Appends these rows of `column`; of an empty column, nothing.
    func copy<Value>(_ column: [Value], to target: inout [Value])
}

extension Range: RowSelection where Bound == Int {
    @inline(__always)
    func copy<Value>(_ column: [Value], to target: inout [Value]) {
        guard !column.isEmpty else { return }
        target.append(contentsOf: column[self])
    }
}

extension Array: RowSelection where Element: BinaryInteger {
    @inline(__always)
    func copy<Value>(_ column: [Value], to target: inout [Value]) {
        guard !column.isEmpty else { return }
        let rows = column.withUnsafeBufferPointer { column in map { column[Int($0)] } }
        if target.isEmpty { target = rows } else { target.append(contentsOf: rows) }
    }
}

/// A set of the columns of ``SampleColumns``, such as those to be decoded.
package struct SampleColumnSet: OptionSet, Hashable, Sendable {
    /// One bit for each column.
    package let rawValue: UInt16

    /// Creates a set of the columns whose bits are set.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Start dates.
    package static let starts = SampleColumnSet(rawValue: 1 << 0)
    /// End dates.
    package static let ends = SampleColumnSet(rawValue: 1 << 1)
    /// Values.
    package static let values = SampleColumnSet(rawValue: 1 << 2)
    /// Unit numbers.
    package static let units = SampleColumnSet(rawValue: 1 << 3)
    /// Source revision numbers.
    package static let revisions = SampleColumnSet(rawValue: 1 << 4)
    /// Device numbers.
    package static let devices = SampleColumnSet(rawValue: 1 << 5)
    /// Metadata.
    package static let metadata = SampleColumnSet(rawValue: 1 << 6)
    /// Sequence numbers.
    package static let sequences = SampleColumnSet(rawValue: 1 << 7)
    /// Identities given by applications.
    package static let uuids = SampleColumnSet(rawValue: 1 << 8)
    /// Creation dates given by archives.
    package static let creations = SampleColumnSet(rawValue: 1 << 9)

    /// Every column.
    package static let all: SampleColumnSet = [
        .starts, .ends, .values, .units, .revisions, .devices, .metadata, .sequences, .uuids, .creations,
    ]
}

/// A quantity or category sample as plain values.
package struct SampleRecord: Hashable, Sendable, Codable {
    /// The identity given by the application; `nil` for one that the store derives from the sequence.
    package var uuid: UUID?
    /// The sample's type, which is a quantity or category type.
    package var type: TypeCode
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package var start: Double
    /// Seconds since 2001-01-01 00:00:00 UTC, at or after ``start``.
    package var end: Double
    /// The quantity in ``unit``, or the raw value of a category.
    package var value: Double
    /// The unit string of the value; empty for categories.
    package var unit: String
    /// The source revision that saved it, which the engine sets on `save`.
    package var revision: SourceRevisionRecord?
    /// The device it was measured with, if any.
    package var device: DeviceRecord?
    /// The metadata.
    package var metadata: Metadata
    /// The creation date given by an archive, in seconds since 2001-01-01 00:00:00 UTC.
    package var creation: Double?
    /// The position in the store's sequence; 0 before it is saved.
    package var sequence: Int64

    /// Creates a sample. Nothing is validated.
    package init(
        uuid: UUID? = nil, type: TypeCode, start: Double, end: Double, value: Double,
        unit: String = "", revision: SourceRevisionRecord? = nil, device: DeviceRecord? = nil,
        metadata: Metadata = .empty, creation: Double? = nil, sequence: Int64 = 0
    ) {
        self.uuid = uuid
        self.type = type
        self.start = start
        self.end = end
        self.value = value
        self.unit = unit
        self.revision = revision
        self.device = device
        self.metadata = metadata
        self.creation = creation
        self.sequence = sequence
    }
}

/// An entry of an ``OptionalColumn``, which has a representation of “missing”.
package protocol OptionalColumnEntry: Sendable {
    /// The entry of a row that has none.
    static var missing: Self { get }
    /// A Boolean value that indicates whether the row has no entry.
    var isMissing: Bool { get }
}

extension Double: OptionalColumnEntry {
    /// NaN.
    @inlinable package static var missing: Double { .nan }
    /// Whether this is NaN.
    @inlinable package var isMissing: Bool { isNaN }
}

extension Optional: OptionalColumnEntry where Wrapped == UUID {
    /// `nil`.
    @inlinable package static var missing: UUID? { nil }
    /// Whether this is `nil`.
    @inlinable package var isMissing: Bool { self == nil }
}

/// A column whose entries are usually missing.
///
/// It is either empty, which means that no row has an entry, or has one entry for each row. As a collection it is the
/// array of entries.
package struct OptionalColumn<Entry: OptionalColumnEntry>: Sendable {
    /// One entry for each row, or none at all.
    package var entries: [Entry]

    /// Creates a column in which every entry is missing.
    @inlinable
    package init() {
        entries = []
    }

    /// Creates a column of these entries.
    @inlinable
    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Returns the entry of a row, which may be missing.
    @inlinable
    package func entry(at row: Int) -> Entry {
        row < entries.count ? entries[row] : .missing
    }

    /// A Boolean value that indicates whether any row has an entry.
    package var hasEntries: Bool { entries.contains { !$0.isMissing } }

    /// Appends missing entries until there are `count`.
    package mutating func fill(to count: Int) {
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
    package init(arrayLiteral elements: Entry...) {
        entries = elements
    }
}

extension OptionalColumn: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// 0.
    @inlinable package var startIndex: Int { 0 }
    /// The number of entries.
    @inlinable package var endIndex: Int { entries.count }

    /// The entry at an index of ``entries``.
    @inlinable
    package subscript(index: Int) -> Entry {
        get { entries[index] }
        _modify { yield &entries[index] }
    }

    /// Replaces a range of entries.
    @inlinable
    package mutating func replaceSubrange(
        _ subrange: Range<Int>, with newElements: some Collection<Entry>
    ) {
        entries.replaceSubrange(subrange, with: newElements)
    }

    /// Appends an entry.
    @inlinable
    package mutating func append(_ newElement: Entry) {
        entries.append(newElement)
    }

    /// Reserves memory for entries.
    @inlinable
    package mutating func reserveCapacity(_ minimumCapacity: Int) {
        entries.reserveCapacity(minimumCapacity)
    }

    /// Calls `body` with the entries in memory.
    @inlinable
    package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<Entry>) throws -> Result
    ) rethrows -> Result? {
        try entries.withContiguousStorageIfAvailable(body)
    }
}
