import HealthModel
import HealthStorage

/// Bounds that every row passing a test keeps to: what pages and objects are picked by.
struct TimeHull: Hashable, Sendable {
    /// Starts lie below this; `nil` for no bound.
    var startsBefore: Double?
    /// Ends lie at or above this; `nil` for no bound.
    var endsAtOrAfter: Double?

    static let open = TimeHull()

    var window: PageWindow {
        self == .open ? .all : .time(startsBefore: startsBefore, endsAtOrAfter: endsAtOrAfter)
    }

    /// Bounds of rows that keep to both.
    func intersection(_ other: TimeHull) -> TimeHull {
        TimeHull(
            startsBefore: [startsBefore, other.startsBefore].compactMap { $0 }.min(),
            endsAtOrAfter: [endsAtOrAfter, other.endsAtOrAfter].compactMap { $0 }.max())
    }

    /// Bounds of rows that keep to either.
    func union(_ other: TimeHull) -> TimeHull {
        var result = TimeHull()
        if let left = startsBefore, let right = other.startsBefore { result.startsBefore = max(left, right) }
        if let left = endsAtOrAfter, let right = other.endsAtOrAfter { result.endsAtOrAfter = min(left, right) }
        return result
    }
}

extension RowTest {
    /// Read off the comparisons of starts and ends under “and” and “or”. A start below an instant lets
    /// nothing be said of ends and the reverse, except that no sample ends before it starts.
    var timeHull: TimeHull {
        switch self {
        case .start(let comparison, let bound), .end(let comparison, let bound):
            guard !bound.isNaN else { return .open }
            return switch comparison {
            case .lessThan: TimeHull(startsBefore: bound)
            case .lessThanOrEqual: TimeHull(startsBefore: bound.nextUp)
            case .equal: TimeHull(startsBefore: bound.nextUp, endsAtOrAfter: bound)
            // A start at or after an instant puts the end there too.
            case .greaterThanOrEqual, .greaterThan: TimeHull(endsAtOrAfter: bound)
            case .notEqual: .open
            }
        case .every(let parts):
            return parts.reduce(.open) { $0.intersection($1.timeHull) }
        case .any(let parts):
            guard let first = parts.first else { return .open }
            return parts.dropFirst().reduce(first.timeHull) { $0.union($1.timeHull) }
        default:
            return .open
        }
    }
}
