import HealthModel

/// What comparisons of times in a statement let a table leave out. Always wider than the comparison itself:
/// SQLite looks at the rows again.
struct TimeBounds {
    /// Nothing can match, as a comparison with NULL.
    private(set) var isEmpty = false
    private(set) var filters: [SampleFilter] = []

    /// Which of a sample's instants is compared; to reach into a span is to end in or after it and to start in or
    /// before it.
    enum Edge { case start, end, reach }

    /// A number of seconds since 1970.
    mutating func take(_ edge: Edge, _ comparison: IndexPlan.Comparison, _ value: SQLArgument) {
        guard !value.isNull else { return isEmpty = true }
        guard let seconds = value.number else { return }
        let instant = seconds - unixToReference
        // The sum that SQLite compares is rounded, too.
        let slack = max(1e-6, 4 * seconds.ulp)
        take(edge, comparison, from: instant - slack, to: instant + slack)
    }

    /// The beginning of a local date, or a pattern that begins with one.
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
        // Clocks of no zone are further from Greenwich than this.
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
        if [.equal, .greater, .greaterOrEqual].contains(comparison) { filters.append(filter(.greaterThanOrEqual, first)) }
        if [.equal, .less, .lessOrEqual].contains(comparison) { filters.append(filter(.lessThanOrEqual, last)) }
    }

    /// Seconds since 2001 at Greenwich of the year, month or day a text begins with.
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
