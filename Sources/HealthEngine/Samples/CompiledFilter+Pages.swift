import HealthModel
import HealthPages
import HealthStorage

extension CompiledFilter {
    /// Returns the filter that remains to be evaluated on the rows of the page with this header: `.always` if the
    /// header decides.
    func reduced(by header: PageHeader) -> CompiledFilter {
        switch self {
        case .always: self
        case .every(let parts): .conjunction(parts.map { $0.reduced(by: header) })
        case .any(let parts): .disjunction(parts.map { $0.reduced(by: header) })
        case .not(let part): .negation(part.reduced(by: header))
        default: verdict(header).map(CompiledFilter.always) ?? self
        }
    }

    /// Returns `true` if every row matches, `false` if none does, and `nil` if the header does not decide.
    private func verdict(_ header: PageHeader) -> Bool? {
        switch self {
        case .start(let comparison, let bound):
            return comparison.verdict(low: header.firstStart, high: header.lastStart, bound)
        case .end(let comparison, let bound):
            // Ends are at or after starts.
            return comparison.verdict(low: header.firstStart, high: header.maximumEnd, bound)
        case .duration(let comparison, let bound):
            return comparison.verdict(low: 0, high: header.maximumEnd - header.firstStart, bound)
        case .quantity(let condition):
            // If the sum is not finite, there may be NaN, which minimum and maximum do not include.
            guard header.units.count == 1, header.sum.isFinite else { return nil }
            guard let conversion = condition.conversion(header.units[0]) else { return false }
            return condition.comparison.verdict(
                low: conversion(header.minimum), high: conversion(header.maximum), condition.bound)
        case .category(let comparison, let bound):
            guard header.sum.isFinite else { return nil }
            return comparison.verdict(low: header.minimum, high: header.maximum, bound)
        case .revision(let set):
            return set.verdict(header.revisions)
        case .device(let set):
            return header.devices.isEmpty ? set.contains(0) : set.verdict(header.devices)
        case .sequence(let set):
            return set.mayContain(from: header.minimumSequence, through: header.maximumSequence) ? nil : false
        case .metadata(let condition):
            return header.hasMetadata ? nil : condition.matches(.empty)
        case .object:
            return false
        case .always, .every, .any, .not:
            return nil
        }
    }
}

/// Bounds of the dates of all matching rows, by which pages and objects are selected.
struct FilterTimeBounds: Hashable, Sendable {
    /// The exclusive upper bound of starts; `nil` for none.
    var startsBefore: Double?
    /// The inclusive lower bound of ends; `nil` for none.
    var endsAtOrAfter: Double?

    static let open = FilterTimeBounds()

    var window: PageWindow {
        self == .open ? .all : .time(startsBefore: startsBefore, endsAtOrAfter: endsAtOrAfter)
    }

    /// Returns the bounds of rows within both.
    func intersection(_ other: FilterTimeBounds) -> FilterTimeBounds {
        FilterTimeBounds(
            startsBefore: [startsBefore, other.startsBefore].compactMap { $0 }.min(),
            endsAtOrAfter: [endsAtOrAfter, other.endsAtOrAfter].compactMap { $0 }.max())
    }

    /// Returns the bounds of rows within either.
    func union(_ other: FilterTimeBounds) -> FilterTimeBounds {
        var result = FilterTimeBounds()
        if let left = startsBefore, let right = other.startsBefore { result.startsBefore = max(left, right) }
        if let left = endsAtOrAfter, let right = other.endsAtOrAfter { result.endsAtOrAfter = min(left, right) }
        return result
    }
}

extension CompiledFilter {
    /// The bounds that follow from comparisons of starts and ends in conjunctions and disjunctions. A bound of starts
    /// implies one of ends, and vice versa, only because no sample ends before it starts.
    var timeBounds: FilterTimeBounds {
        switch self {
        case .start(let comparison, let bound), .end(let comparison, let bound):
            guard !bound.isNaN else { return .open }
            return switch comparison {
            case .lessThan: FilterTimeBounds(startsBefore: bound)
            case .lessThanOrEqual: FilterTimeBounds(startsBefore: bound.nextUp)
            case .equal: FilterTimeBounds(startsBefore: bound.nextUp, endsAtOrAfter: bound)
            // If the start is at or after an instant, so is the end.
            case .greaterThanOrEqual, .greaterThan: FilterTimeBounds(endsAtOrAfter: bound)
            case .notEqual: .open
            }
        case .every(let parts):
            return parts.reduce(.open) { $0.intersection($1.timeBounds) }
        case .any(let parts):
            guard let first = parts.first else { return .open }
            return parts.dropFirst().reduce(first.timeBounds) { $0.union($1.timeBounds) }
        default:
            return .open
        }
    }
}
