import HealthModel
import HealthPages

extension RowTest {
    /// The test that is left to ask of the rows, given what a page's header says of all of them:
    /// `.always` where the header alone answers.
    func reduced(by header: PageHeader) -> RowTest {
        switch self {
        case .always: self
        case .every(let parts): .conjunction(parts.map { $0.reduced(by: header) })
        case .any(let parts): .disjunction(parts.map { $0.reduced(by: header) })
        case .not(let part): .negation(part.reduced(by: header))
        default: verdict(header).map(RowTest.always) ?? self
        }
    }

    /// True if every row passes, false if none does, `nil` if the rows must be asked.
    private func verdict(_ header: PageHeader) -> Bool? {
        switch self {
        case .start(let comparison, let bound):
            return comparison.verdict(low: header.firstStart, high: header.lastStart, bound)
        case .end(let comparison, let bound):
            // Ends lie at or after starts.
            return comparison.verdict(low: header.firstStart, high: header.greatestEnd, bound)
        case .duration(let comparison, let bound):
            return comparison.verdict(low: 0, high: header.greatestEnd - header.firstStart, bound)
        case .quantity(let test):
            // A sum that is no finite number hides NaN, which the extremes do not tell of.
            guard header.units.count == 1, header.sum.isFinite else { return nil }
            guard let conversion = test.conversion(header.units[0]) else { return false }
            return test.comparison.verdict(
                low: conversion(header.minimum), high: conversion(header.maximum), test.bound)
        case .category(let comparison, let bound):
            guard header.sum.isFinite else { return nil }
            return comparison.verdict(low: header.minimum, high: header.maximum, bound)
        case .revision(let set):
            return set.verdict(header.revisions)
        case .device(let set):
            return header.devices.isEmpty ? set.contains(0) : set.verdict(header.devices)
        case .sequence(let set):
            return set.reaches(from: header.leastSequence, to: header.greatestSequence) ? nil : false
        case .metadata(let test):
            return header.hasMetadata ? nil : test.matches(.empty)
        case .object:
            return false
        case .always, .every, .any, .not:
            return nil
        }
    }
}
