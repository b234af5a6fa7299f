import HealthModel

/// `samples`: quantity and category samples, read page by page.
///
/// The table applies constraints on type, dates and sequence number, returns rows by start date if requested, and
/// decodes only the columns that a statement uses.
final class SampleTable: VirtualTable {
    enum Column: Int, CaseIterable {
        case type, startDate, endDate, value, valueName, unit, source, device, metadata, day, startTime, endTime
        case duration, creationDate, bundleIdentifier, revision, deviceNumber, identifier, uuid, sequence
    }

    private let context: TableContext

    init(_ context: TableContext) {
        self.context = context
        super.init(.samples)
    }

    override func open() -> VirtualCursor {
        SampleCursor(context)
    }

    override func plan(_ request: inout IndexRequest) {
        let bounds: [IndexPlan.Comparison] = [.equal, .greater, .greaterOrEqual, .less, .lessOrEqual]
        let wanted = request.order
        let isSingle =
            !request.take(Column.sequence.rawValue, [.equal]).isEmpty
            || !request.take(-1, [.equal]).isEmpty || !request.take(Column.uuid.rawValue, [.equal]).isEmpty
        let byType =
            request.take(Column.type.rawValue, [.equal], isExact: true, collation: "NOCASE")
            + request.take(Column.identifier.rawValue, [.equal], isExact: true, collation: "NOCASE")
        request.take(Column.metadata.rawValue, [.isNotNull])
        var times: [IndexPlan.Comparison] = []
        for column in [Column.startTime, .endTime] { times += request.take(column.rawValue, bounds) }
        for column in [Column.startDate, .endDate, .day] {
            times += request.take(column.rawValue, bounds + [.like, .glob])
        }
        if let order = order(wanted, ofOneType: !byType.isEmpty) { request.deliver(order) }
        guard !isSingle else { return request.estimate(rows: 1, cost: 30, isUnique: true) }
        var rows = byType.isEmpty ? 4_000_000.0 : 100_000.0
        if times.contains(.equal) || times.contains(.like) || times.contains(.glob) { rows /= 1_000 }
        if times.contains(where: { $0 == .greater || $0 == .greaterOrEqual }) { rows /= 8 }
        if times.contains(where: { $0 == .less || $0 == .lessOrEqual }) { rows /= 8 }
        request.estimate(rows: rows, cost: 500 + rows)
    }

    /// A row order that satisfies the requested one, or `nil` if SQLite must sort.
    private func order(_ wanted: [IndexRequest.Key], ofOneType isOne: Bool) -> IndexPlan.Order? {
        guard !wanted.isEmpty else { return nil }
        var rest = wanted[...]
        func takes(_ columns: Set<Column>, descending: Bool) -> Bool {
            guard let key = rest.first, let column = Column(rawValue: key.column), columns.contains(column),
                key.isDescending == descending
            else { return false }
            rest = rest.dropFirst()
            return true
        }
        var isByType = false
        if isOne {
            rest = rest.filter { $0.column != Column.type.rawValue && $0.column != Column.identifier.rawValue }[...]
        } else {
            isByType = takes([.type], descending: false)
        }
        guard let first = rest.first else { return .natural }
        let isDescending = first.isDescending
        if isByType, isDescending { return nil }
        if context.daysAscend { while takes([.day], descending: isDescending) {} }
        if takes([.startTime], descending: isDescending), isOne || isByType {
            _ = takes([.sequence], descending: isDescending)
        }
        guard rest.isEmpty else { return nil }
        return isDescending ? .startDescending : isOne || isByType ? .natural : .start
    }
}

extension SampleTable.Column {
    /// The page columns that the column needs.
    var stored: SampleColumnSet {
        switch self {
        case .type, .identifier: []
        case .startDate, .startTime, .day: .starts
        case .endDate, .endTime: .ends
        case .value: [.values, .units]
        case .valueName: .values
        case .unit: .units
        case .source, .bundleIdentifier, .revision: .revisions
        case .device, .deviceNumber: .devices
        case .metadata: .metadata
        case .duration: [.starts, .ends]
        case .creationDate: .creations
        case .uuid: [.uuids, .sequences]
        case .sequence: .sequences
        }
    }
}

/// The bounds that date comparisons of a statement imply. They are always wider than the comparison itself; SQLite
/// checks the rows again.
struct TimeBounds {
    /// Whether nothing can match, as in a comparison with NULL.
    private(set) var isEmpty = false
    private(set) var filters: [SampleFilter] = []

    /// The time that comparisons of ``Edge/reach`` leave, in seconds since 2001; `nil` if they leave none.
    var reach: ClosedRange<Double>? {
        var (first, last) = (-Double.infinity, Double.infinity)
        for filter in filters {
            if case .end(.greaterThanOrEqual, let bound) = filter { first = max(first, bound) }
            if case .start(.lessThanOrEqual, let bound) = filter { last = min(last, bound) }
        }
        return first <= last ? first...last : nil
    }

    /// The date that is compared. A sample overlaps an interval if it ends in or after it and starts in or before it.
    enum Edge { case start, end, reach }

    /// Applies a comparison with seconds since 1970.
    mutating func take(_ edge: Edge, _ comparison: IndexPlan.Comparison, _ value: SQLArgument) {
        guard !value.isNull else { return isEmpty = true }
        guard let seconds = value.number else { return }
        let instant = seconds - unixToReference
        // The sum that SQLite compares is rounded as well.
        let slack = max(1e-6, 4 * seconds.ulp)
        take(edge, comparison, from: instant - slack, to: instant + slack)
    }

    /// Applies a comparison with a local date or a pattern that starts with one.
    mutating func take(_ edge: Edge, _ comparison: IndexPlan.Comparison, text value: SQLArgument) {
        guard !value.isNull else { return isEmpty = true }
        guard !value.isNumber, let text = value.text else { return }
        var comparison = comparison
        var words = text
        if comparison == .like || comparison == .glob {
            let wildcards: Set<Character> = comparison == .like ? ["%", "_"] : ["*", "?", "["]
            words = String(text.prefix { !wildcards.contains($0) })
            comparison = .equal
        }
        guard let span = Self.span(words) else { return }
        // No time zone has a larger offset from UTC.
        let slack = 26.0 * 3_600
        take(edge, comparison, from: Double(span.lowerBound) - slack, to: Double(span.upperBound) + slack)
    }

    private mutating func take(_ edge: Edge, _ comparison: IndexPlan.Comparison, from first: Double, to last: Double) {
        func filter(_ comparison: ComparisonOperator, _ bound: Double) -> SampleFilter {
            switch edge {
            case .start: .start(comparison, bound)
            case .end: .end(comparison, bound)
            case .reach: comparison == .greaterThanOrEqual ? .end(comparison, bound) : .start(comparison, bound)
            }
        }
        if [.equal, .greater, .greaterOrEqual].contains(comparison) {
            filters.append(filter(.greaterThanOrEqual, first))
        }
        if [.equal, .less, .lessOrEqual].contains(comparison) { filters.append(filter(.lessThanOrEqual, last)) }
    }

    /// Seconds since 2001 in UTC of the year, month or day at the start of a text.
    private static func span(_ text: String) -> Range<Int>? {
        let bytes = Array(text.utf8)
        func number(_ first: Int, _ count: Int) -> Int? {
            guard bytes.count >= first + count else { return nil }
            let digits = bytes[first..<(first + count)]
            guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        guard let year = number(0, 4), (1...9_998).contains(year) else { return nil }
        func start(_ year: Int, _ month: Int, _ day: Int) -> Int {
            CivilDate.dayNumber(year: year, month: month, day: day) * 86_400
        }
        let whole = start(year, 1, 1)..<start(year + 1, 1, 1)
        guard bytes.count > 4 else { return whole }
        guard bytes[4] == UInt8(ascii: "-") else { return nil }
        guard let month = number(5, 2) else { return whole }
        guard (1...12).contains(month) else { return nil }
        let next = month == 12 ? start(year + 1, 1, 1) : start(year, month + 1, 1)
        guard bytes.count > 7 else { return start(year, month, 1)..<next }
        guard bytes[7] == UInt8(ascii: "-") else { return nil }
        guard let day = number(8, 2) else { return start(year, month, 1)..<next }
        guard CivilDate.isValid(year: year, month: month, day: day) else { return nil }
        return start(year, month, day)..<(start(year, month, day) + 86_400)
    }
}
