import Foundation
import HealthModel
import HealthPages
import HealthStorage

/// A filter compiled for one type of one store: sources and devices are numbers, identities are sequences, and units
/// are conversions. It is evaluated on page headers (`reduced(by:)`), on columns (`mask(of:count:)`) and on object rows
/// (`matches(_:)`).
indirect enum CompiledFilter: Sendable {
    case always(Bool)
    case every([CompiledFilter])
    case any([CompiledFilter])
    case not(CompiledFilter)

    case start(ComparisonOperator, Double)
    case end(ComparisonOperator, Double)
    /// End minus start or, for a workout, its duration without pauses.
    case duration(ComparisonOperator, Double)
    case quantity(QuantityCondition)
    case category(ComparisonOperator, Double)
    case revision(NumberSet)
    case device(NumberSet)
    case sequence(SequenceSet)
    case metadata(MetadataCondition)
    /// A condition on fields that only objects have.
    case object(ObjectCondition)

    /// The columns that the evaluation needs.
    var columns: SampleColumnSet {
        switch self {
        case .always, .object: []
        case .every(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.columns) }
        case .not(let part): part.columns
        case .start: .starts
        case .end: .ends
        case .duration: [.starts, .ends]
        case .quantity: [.values, .units]
        case .category: .values
        case .revision: .revisions
        case .device: .devices
        case .sequence(let set): set.derived.isEmpty ? .sequences : [.sequences, .uuids]
        case .metadata: .metadata
        }
    }

    /// Returns the conjunction of these filters, without the trivial ones.
    static func conjunction(_ parts: [CompiledFilter]) -> CompiledFilter {
        joined(parts, neutral: true)
    }

    /// Returns the disjunction of these filters, without the trivial ones.
    static func disjunction(_ parts: [CompiledFilter]) -> CompiledFilter {
        joined(parts, neutral: false)
    }

    /// - Parameter neutral: The answer of a part that doesn't count; the other one decides.
    private static func joined(_ parts: [CompiledFilter], neutral: Bool) -> CompiledFilter {
        var remaining: [CompiledFilter] = []
        for part in parts {
            switch part {
            case .always(neutral): continue
            case .always: return part
            case .every(let inner) where neutral: remaining += inner
            case .any(let inner) where !neutral: remaining += inner
            default: remaining.append(part)
            }
        }
        if remaining.count == 1 { return remaining[0] }
        return remaining.isEmpty ? .always(neutral) : neutral ? .every(remaining) : .any(remaining)
    }

    /// Returns the negation of a filter. Comparisons of dates are inverted, because time bounds are derived from them.
    static func negation(_ part: CompiledFilter) -> CompiledFilter {
        switch part {
        case .always(let answer): .always(!answer)
        case .not(let inner): inner
        case .start(let comparison, let bound) where !bound.isNaN: .start(comparison.opposite, bound)
        case .end(let comparison, let bound) where !bound.isNaN: .end(comparison.opposite, bound)
        default: .not(part)
        }
    }
}

extension CompiledFilter {
    /// Returns whether each row matches. The columns in ``columns`` must be present.
    func mask(of rows: SampleColumns, count: Int) -> [Bool] {
        switch self {
        case .always(let answer):
            return [Bool](repeating: answer, count: count)
        case .every(let parts):
            var result = [Bool](repeating: true, count: count)
            for part in parts {
                let mask = part.mask(of: rows, count: count)
                for row in 0..<count { result[row] = result[row] && mask[row] }
            }
            return result
        case .any(let parts):
            var result = [Bool](repeating: false, count: count)
            for part in parts {
                let mask = part.mask(of: rows, count: count)
                for row in 0..<count { result[row] = result[row] || mask[row] }
            }
            return result
        case .not(let part):
            var result = part.mask(of: rows, count: count)
            for row in 0..<count { result[row].toggle() }
            return result
        case .start(let comparison, let bound):
            return Self.compare(rows.starts, comparison, bound)
        case .end(let comparison, let bound):
            return Self.compare(rows.ends, comparison, bound)
        case .category(let comparison, let bound):
            return Self.compare(rows.values, comparison, bound)
        case .duration(let comparison, let bound):
            return Self.collect(count) { comparison.holds(rows.ends[$0] - rows.starts[$0], bound) }
        case .quantity(let condition):
            return Self.collect(count) { condition.holds(rows.values[$0], unit: rows.units[$0]) }
        case .revision(let set):
            return Self.collect(count) { set.contains(rows.revisions[$0]) }
        case .device(let set):
            return Self.collect(count) { set.contains($0 < rows.devices.count ? rows.devices[$0] : 0) }
        case .sequence(let set):
            return Self.collect(count) {
                set.contains(rows.sequences[$0], hasGivenIdentity: rows.uuid(at: $0) != nil)
            }
        case .metadata(let condition):
            // Once for each distinct metadata, not for each row.
            let answers = [condition.matches(.empty)] + rows.metadata.table.map(condition.matches)
            return Self.collect(count) { answers[rows.metadata.number(at: $0)] }
        case .object:
            return [Bool](repeating: false, count: count)
        }
    }

    /// One loop for each operator, so that it is not switched over in each row.
    private static func compare(
        _ values: [Double], _ comparison: ComparisonOperator, _ bound: Double
    ) -> [Bool] {
        switch comparison {
        case .lessThan: values.map { $0 < bound }
        case .lessThanOrEqual: values.map { $0 <= bound }
        case .equal: values.map { $0 == bound }
        case .notEqual: values.map { $0 != bound }
        case .greaterThanOrEqual: values.map { $0 >= bound }
        case .greaterThan: values.map { $0 > bound }
        }
    }

    private static func collect(_ count: Int, _ answer: (Int) -> Bool) -> [Bool] {
        [Bool](unsafeUninitializedCapacity: count) { buffer, initialized in
            for row in 0..<count { buffer.initializeElement(at: row, to: answer(row)) }
            initialized = count
        }
    }
}

extension CompiledFilter {
    /// Returns whether an object matches. Its payload is decoded only if a condition needs it.
    func matches(_ object: inout ObjectRow) throws -> Bool {
        switch self {
        case .always(let answer):
            return answer
        case .every(let parts):
            for part in parts where try !part.matches(&object) { return false }
            return true
        case .any(let parts):
            for part in parts where try part.matches(&object) { return true }
            return false
        case .not(let part):
            return try !part.matches(&object)
        case .start(let comparison, let bound):
            return comparison.holds(object.stored.start, bound)
        case .end(let comparison, let bound):
            return comparison.holds(object.stored.end, bound)
        case .duration(let comparison, let bound):
            return comparison.holds(try object.duration(), bound)
        case .revision(let set):
            return set.contains(object.stored.revision)
        case .device(let set):
            return set.contains(object.stored.device)
        case .sequence(let set):
            return set.contains(object.stored.sequence, hasGivenIdentity: object.stored.uuid != nil)
        case .metadata(let condition):
            return condition.matches(try object.contents().metadata)
        case .object(.statistic(let type, let figure, let comparison, let bound)):
            return ObjectCondition.compare(try object.figure(figure, of: type), comparison, bound)
        case .object(.anyActivity(let condition)):
            return try object.hasActivity(condition)
        case .object(let condition):
            return condition.matches(try object.contents().body)
        case .quantity, .category:
            return false
        }
    }
}

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
            guard let conversion = condition.units.conversion(header.units[0]) else { return false }
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

/// Compiles filters for one type in one snapshot.
struct FilterCompiler {
    let type: TypeCode
    let dictionaries: StoreDictionaries
    let identities: DerivedIdentities
    let snapshot: any StorageSnapshot

    var kind: TypeKind { dictionaries.type(type)?.kind ?? .document }

    /// Compiles a filter, limited to what the caller may read.
    func compile(_ filter: SampleFilter, scope: ReadScope, caller: Caller) throws -> CompiledFilter {
        .conjunction([try compile(scope.filter, caller), try compile(filter, caller)])
    }

    private func compile(_ filter: SampleFilter, _ caller: Caller) throws -> CompiledFilter {
        switch filter {
        case .all: return .always(true)
        case .nothing: return .always(false)
        case .and(let parts): return .conjunction(try parts.map { try compile($0, caller) })
        case .or(let parts): return .disjunction(try parts.map { try compile($0, caller) })
        case .not(let part): return .negation(try compile(part, caller))
        case .start(let comparison, let bound): return .start(comparison, bound)
        case .end(let comparison, let bound): return .end(comparison, bound)
        case .duration(let comparison, let bound): return .duration(comparison, bound)
        case .quantity(let comparison, let bound):
            guard kind == .quantity else { return .always(false) }
            let units = UnitConversions(unit: bound.unit, dictionaries: dictionaries)
            return .quantity(QuantityCondition(comparison: comparison, bound: bound.value, units: units))
        case .category(let comparison, let value):
            return kind == .category ? .category(comparison, Double(value)) : .always(false)
        case .uuid(let expected): return try identity(expected)
        case .source(let expected): return revisions { expected.contains($0.source.bundleIdentifier) }
        case .ownSource: return revisions { $0.source.bundleIdentifier == caller.bundleIdentifier }
        case .revision(let patterns):
            return revisions { revision in patterns.contains { $0.matches(revision) } }
        case .device(let expected):
            return devices { $0.map(expected.contains) ?? false }
        case .deviceProperty(let property, let values):
            return devices { device in
                let value = property.value(of: device)
                return values.isEmpty ? value == nil : value.map(values.contains) ?? false
            }
        case .noCorrelation: return try .negation(.sequence(SequenceSet(plain: correlated())))
        case .memberOf(let owner): return .sequence(SequenceSet(plain: try members(of: owner)))
        case .effortRelated(let workout, let activity):
            return .sequence(SequenceSet(plain: try related(to: workout, activity)))
        case .metadataPresent, .metadata, .metadataIn:
            return MetadataCondition(filter).map { .metadata($0) } ?? .always(false)
        case .workoutActivityType, .workoutTotal, .workoutStatistic, .anyActivity, .summaryDay, .field, .fieldContains:
            guard !kind.isPaged,
                let condition = ObjectCondition(filter, identifier: { dictionaries.type($0)?.identifier })
            else { return .always(false) }
            return .object(condition)
        }
    }

    private func revisions(_ isIncluded: (SourceRevisionRecord) -> Bool) -> CompiledFilter {
        .revision(NumberSet(upTo: dictionaries.revisions.count) { dictionaries.revision($0).map(isIncluded) ?? false })
    }

    private func devices(_ isIncluded: (DeviceRecord?) -> Bool) -> CompiledFilter {
        .device(NumberSet(upTo: dictionaries.devices.count) { isIncluded(dictionaries.device($0)) })
    }

    private func identity(_ expected: Set<UUID>) throws -> CompiledFilter {
        var plain: [Int64] = []
        var derived: [Int64] = []
        if expected.count > 1 { try snapshot.prefetchIdentities(of: Array(expected)) }
        for uuid in expected {
            if let found = try snapshot.locate(uuid) {
                if found.type == type { plain.append(found.sequence) }
            } else if let sequence = identities.sequence(of: uuid) {
                derived.append(sequence)
            }
        }
        return plain.isEmpty && derived.isEmpty
            ? .always(false) : .sequence(SequenceSet(plain: plain.sorted(), derived: derived.sorted()))
    }

    /// Returns the members of this type of any correlation, ascending.
    private func correlated() throws -> [Int64] {
        let owners = try snapshot.typesInUse().filter { dictionaries.type($0)?.kind == .correlation }
        let lists = try owners.map { try snapshot.linkedMembers(of: type, ownerType: $0) }
        return lists.count == 1 ? lists[0] : lists.joined().sorted()
    }

    /// Returns the samples or workouts of this type that are in effort relations of a workout, ascending.
    private func related(to workout: UUID, _ activity: UUID?) throws -> [Int64] {
        let finder = PageFinder(snapshot: snapshot, identities: identities)
        let relations = try EffortRelation.all(in: snapshot, dictionaries).filter {
            $0.workout == workout && (activity == nil || $0.activity == activity) && !$0.samples.isEmpty
        }
        let named = relations.flatMap(\.samples) + (relations.isEmpty ? [] : [workout])
        try snapshot.prefetchIdentities(of: named)
        let found = try named.compactMap { try finder.locate($0) }
        return Set(found.filter { $0.type == type }.map(\.sequence)).sorted()
    }

    private func members(of owner: UUID) throws -> [Int64] {
        guard let sequence = try snapshot.locate(owner)?.sequence ?? identities.sequence(of: owner) else {
            return []
        }
        return try snapshot.links(ofOwner: sequence).filter { $0.memberType == type }.map(\.member)
    }
}
