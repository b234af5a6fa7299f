import HealthModel
import HealthPages
import HealthStorage

/// Rows of one type in flat columns, reused for every task so that nothing is allocated per
/// page. Used by one thread at a time.
final class RowBuffer {
    private(set) var starts: UnsafeMutablePointer<Double>
    private(set) var ends: UnsafeMutablePointer<Double>
    /// In the canonical unit once a page has been filled in.
    private(set) var values: UnsafeMutablePointer<Double>
    /// Revision numbers, combined with ``enteredByHand`` for samples that a person entered.
    private(set) var revisions: UnsafeMutablePointer<UInt32>
    private var capacity: Int
    var count = 0

    /// A flag beside the revision number, which is far smaller.
    static let enteredByHand: UInt32 = 1 << 31

    init(capacity: Int = 4_096) {
        self.capacity = capacity
        starts = .allocate(capacity: capacity)
        ends = .allocate(capacity: capacity)
        values = .allocate(capacity: capacity)
        revisions = .allocate(capacity: capacity)
    }

    deinit {
        starts.deallocate()
        ends.deallocate()
        values.deallocate()
        revisions.deallocate()
    }

    /// Reserves space for `more` additional rows.
    func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let grown = max(capacity * 2, count + more)
        starts = Self.moved(starts, count, to: grown)
        ends = Self.moved(ends, count, to: grown)
        values = Self.moved(values, count, to: grown)
        revisions = Self.moved(revisions, count, to: grown)
        capacity = grown
    }

    /// Removes the rows starting at `first` whose mark is not set.
    func keep(from first: Int, where marks: [Bool]) {
        var target = first
        for (offset, isKept) in marks.enumerated() where isKept {
            let row = first + offset
            starts[target] = starts[row]
            ends[target] = ends[row]
            values[target] = values[row]
            revisions[target] = revisions[row]
            target += 1
        }
        count = target
    }

    /// All rows, valid until the buffer changes.
    var rows: RowSpan {
        RowSpan(starts: starts, ends: ends, values: values, count: count)
    }

    private static func moved<Value>(
        _ column: UnsafeMutablePointer<Value>, _ count: Int, to capacity: Int
    ) -> UnsafeMutablePointer<Value> {
        let grown = UnsafeMutablePointer<Value>.allocate(capacity: capacity)
        grown.moveInitialize(from: column, count: count)
        column.deallocate()
        return grown
    }

    /// Appends the matching rows of a page with values in the canonical unit. Rows with an incompatible unit
    /// are omitted, and so are series samples: their quantities are returned, to be appended after all pages.
    func append(
        _ page: PageOutline, body: UnsafeRawBufferPointer, units: UnitConversions, separatesEntriesByHand: Bool,
        series: SeriesRows?
    ) throws(PageError) -> [SeriesExpansion] {
        let header = page.header
        let reader = try PageReader(header: header, body: body)
        let first = count
        let added = header.count
        reserve(added)
        try reader.decode(
            starts: starts + first, ends: ends + first, values: values + first, revisions: revisions + first)
        count = first + added
        if separatesEntriesByHand, header.hasUserEntered {
            let metadata = try reader.read(.metadata).metadata
            let isByHand = [false] + metadata.table.map(\.wasUserEntered)
            for row in 0..<min(added, metadata.count) where isByHand[Int(metadata.numbers[row])] {
                revisions[first + row] |= Self.enteredByHand
            }
        }
        var marks: [Bool]?
        switch page.filter {
        case .always(true):
            break
        case .revision(let set):
            // This column has been decoded already.
            marks = (first..<count).map { set.contains(revisions[$0] & ~Self.enteredByHand) }
        default:
            marks = page.filter.mask(of: try reader.read(page.filter.columns), count: added)
        }
        if header.units.count == 1 {
            guard let conversion = units.conversion(header.units[0]) else {
                count = first
                return []
            }
            if !conversion.isIdentity {
                for row in first..<count { values[row] = conversion(values[row]) }
            }
        } else {
            let numbers = try reader.read(.units).units
            var known = marks ?? [Bool](repeating: true, count: added)
            for row in 0..<added {
                guard let conversion = units.conversion(numbers[row]) else {
                    known[row] = false
                    continue
                }
                values[first + row] = conversion(values[first + row])
            }
            marks = known
        }
        var expansions: [SeriesExpansion] = []
        if let series, series.overlaps(header) {
            let columns = try reader.read([.sequences, .units])
            var plain = marks ?? [Bool](repeating: true, count: added)
            expansions = self.expansions(
                from: first, sequences: columns.sequences, marks: &plain, series: series
            ) { units.conversion(header.units.count == 1 ? header.units[0] : columns.units[$0]) }
            marks = plain
        }
        if let marks { keep(from: first, where: marks) }
        return expansions
    }
}

/// Some rows of a ``RowBuffer``, ordered by start.
struct RowSpan {
    var starts: UnsafeMutablePointer<Double>
    var ends: UnsafeMutablePointer<Double>
    var values: UnsafeMutablePointer<Double>
    var count: Int
}

/// Rows grouped by merge class or by source, each group ordered by start. Reused like the
/// buffer it reads from.
final class RowGroups {
    private var columns: UnsafeMutablePointer<Double>
    /// The capacity of each of the three columns.
    private var capacity = 4_096
    private var groups: [(start: Int, end: Int)] = []

    init() {
        columns = .allocate(capacity: capacity * 3)
    }

    deinit {
        columns.deallocate()
    }

    var count: Int { groups.count }

    /// One group's rows, valid until the next ``fill(from:by:_:)``.
    subscript(group: Int) -> RowSpan {
        let first = groups[group].start
        return RowSpan(
            starts: columns + first, ends: columns + capacity + first,
            values: columns + 2 * capacity + first, count: groups[group].end - first)
    }

    /// Groups the rows without comparing any.
    func fill(from buffer: RowBuffer, by key: SourceTable.Key, _ table: SourceTable) {
        let count = table.groupCount(by: key)
        table.groups(by: key).withUnsafeBufferPointer { labels in
            let labels = Labels(table: labels, hasClassByHand: key == .mergeClass)
            if count == 2 {
                splitInTwo(buffer, labels)
            } else {
                split(buffer, into: count, labels)
            }
        }
    }

    /// A row's group.
    private struct Labels {
        let table: UnsafeBufferPointer<UInt32>
        /// Whether samples entered by hand form the first group.
        let hasClassByHand: Bool

        @inline(__always)
        func callAsFunction(_ revision: UInt32) -> Int {
            let isByHand = revision & RowBuffer.enteredByHand != 0
            return hasClassByHand && isByHand ? 0 : Int(table[Int(revision & ~RowBuffer.enteredByHand)])
        }
    }

    /// The usual case of a watch and a phone: one pass, with both positions in registers.
    private func splitInTwo(_ buffer: RowBuffer, _ labels: Labels) {
        let total = buffer.count
        reserve(total * 2)
        let (starts, ends, values) = (columns, columns + capacity, columns + 2 * capacity)
        var second = 0
        for row in 0..<total {
            let label = labels(buffer.revisions[row])
            // A branch would be mispredicted at every change of source, a mask is not.
            let (first, other) = (row &- second, total &+ second)
            let target = first ^ ((first ^ other) & (0 &- label))
            second &+= label
            starts[target] = buffer.starts[row]
            ends[target] = buffer.ends[row]
            values[target] = buffer.values[row]
        }
        groups = [(0, total - second), (total, total + second)]
    }

    /// A counting sort.
    private func split(_ buffer: RowBuffer, into count: Int, _ labels: Labels) {
        let total = buffer.count
        reserve(total)
        var next = [Int](repeating: 0, count: count + 1)
        for row in 0..<total { next[labels(buffer.revisions[row]) + 1] += 1 }
        for group in 0..<count { next[group + 1] += next[group] }
        groups = (0..<count).map { (next[$0], next[$0 + 1]) }
        let (starts, ends, values) = (columns, columns + capacity, columns + 2 * capacity)
        for row in 0..<total {
            let label = labels(buffer.revisions[row])
            let target = next[label]
            next[label] = target + 1
            starts[target] = buffer.starts[row]
            ends[target] = buffer.ends[row]
            values[target] = buffer.values[row]
        }
    }

    private func reserve(_ count: Int) {
        guard count > capacity else { return }
        capacity = max(count, capacity * 2)
        columns.deallocate()
        columns = .allocate(capacity: capacity * 3)
    }
}

/// The bodies of some pages, copied out of a snapshot so that other threads can decode them.
// Unchecked: the bytes are written only while the value is made, by one thread, and only read after.
final class PageBodies: @unchecked Sendable {
    private let bytes: UnsafeMutableRawBufferPointer
    /// The offset of each body by page index; `nil` for pages that were not requested.
    private var places: [Int?]
    private let pages: [PageOutline]

    /// Reads the bodies of the pages with these indexes, ascending.
    init(_ indexes: [Int], of pages: [PageOutline], type: TypeCode, in snapshot: any StorageSnapshot) throws {
        self.pages = pages
        places = [Int?](repeating: nil, count: pages.count)
        bytes = .allocate(byteCount: indexes.reduce(0) { $0 + pages[$1].header.bodyLength }, alignment: 16)
        guard let first = indexes.first, let last = indexes.last else { return }
        var used = 0
        if indexes.count * 8 < last - first {
            for index in indexes {
                guard let body = try snapshot.pageBody(pages[index].key) else { continue }
                try body.withUnsafeBytes { try copy($0, index, &used) }
            }
            return
        }
        let reach = indexes.reduce(Double.infinity) { min($0, pages[$1].header.maximumEnd) }
        let window = PageWindow.time(startsBefore: pages[last].header.firstStart.nextUp, endsAtOrAfter: reach)
        var next = indexes.startIndex
        try snapshot.visitPages(of: type, in: window, bodies: true) { page in
            while next < indexes.endIndex, pages[indexes[next]].key < page.key { next += 1 }
            guard next < indexes.endIndex else { return false }
            if pages[indexes[next]].key == page.key { try copy(page.body, indexes[next], &used) }
            return true
        }
    }

    deinit {
        bytes.deallocate()
    }

    /// The body of a page; empty if the store does not have it.
    subscript(index: Int) -> UnsafeRawBufferPointer {
        guard let place = places[index] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<place + pages[index].header.bodyLength])
    }

    private func copy(_ body: UnsafeRawBufferPointer, _ index: Int, _ used: inout Int) throws {
        let header = pages[index].header
        guard body.count == header.bodyLength else {
            throw PageError(.inconsistent, "body length", at: body.count)
                .naming(PageError.Page(type: header.type, firstSequence: header.firstSequence))
        }
        UnsafeMutableRawBufferPointer(rebasing: bytes[used...]).copyMemory(from: body)
        places[index] = used
        used += body.count
    }
}

/// The quantity series on the pages of a statistics request, by the sequences of their samples.
struct SeriesRows: Sendable {
    private let sequences: [Int64]
    private let series: [Int64: QuantitySeries]

    /// Reads the series of samples on these pages; `nil` if there are none.
    init?(of type: TypeCode, on pages: [PageOutline], in snapshot: any StorageSnapshot) throws {
        let all = try QuantitySeriesTable.sequences(of: type, in: snapshot)
        guard !all.isEmpty else { return nil }
        var series: [Int64: QuantitySeries] = [:]
        for page in pages {
            let first = all.upperBound(of: page.header.minimumSequence - 1)
            for sequence in all[first...].prefix(while: { $0 <= page.header.maximumSequence })
            where series[sequence] == nil {
                series[sequence] = try QuantitySeriesTable.read(
                    of: StoredIdentity(type: type, sequence: sequence), in: snapshot)
            }
        }
        guard !series.isEmpty else { return nil }
        self.series = series
        sequences = series.keys.sorted()
    }

    /// Whether a page may hold a series sample.
    func overlaps(_ header: PageHeader) -> Bool {
        let next = sequences.upperBound(of: header.minimumSequence - 1)
        return next < sequences.count && sequences[next] <= header.maximumSequence
    }

    /// The quantities of a sample; `nil` if it has no series.
    subscript(sequence: Int64) -> QuantitySeries? { series[sequence] }
}

/// The quantities that count in place of a series sample.
struct SeriesExpansion {
    let series: QuantitySeries
    let revision: UInt32
    let conversion: UnitConversion
}

extension RowBuffer {
    /// Unmarks the series samples of a page and returns their quantities.
    ///
    /// - Parameters:
    ///   - first: The first row of the page.
    ///   - conversion: Returns the conversion to the canonical unit by row of the page; `nil` for rows that are
    ///     omitted anyway.
    func expansions(
        from first: Int, sequences: [Int64], marks: inout [Bool], series: SeriesRows,
        conversion: (Int) -> UnitConversion?
    ) -> [SeriesExpansion] {
        var expansions: [SeriesExpansion] = []
        for row in sequences.indices where marks[row] {
            guard let inner = series[sequences[row]], let conversion = conversion(row) else { continue }
            marks[row] = false
            expansions.append(SeriesExpansion(series: inner, revision: revisions[first + row], conversion: conversion))
        }
        return expansions
    }

    /// Appends the quantities of series, to be sorted with ``sortByStart()``.
    func append(_ expansions: [SeriesExpansion]) {
        for expansion in expansions {
            let series = expansion.series
            reserve(series.count)
            for index in 0..<series.count {
                starts[count] = series.starts[index]
                ends[count] = series.ends[index]
                values[count] = expansion.conversion(series.values[index])
                revisions[count] = expansion.revision
                count += 1
            }
        }
    }

    /// Sorts the rows by start; rows of equal start keep their order.
    func sortByStart() {
        let order = (0..<count).sorted { (starts[$0], $0) < (starts[$1], $1) }
        func reorder<Value>(_ column: UnsafeMutablePointer<Value>) {
            let sorted = order.map { column[$0] }
            for (row, value) in sorted.enumerated() { column[row] = value }
        }
        reorder(ends)
        reorder(values)
        reorder(revisions)
        reorder(starts)
    }
}
