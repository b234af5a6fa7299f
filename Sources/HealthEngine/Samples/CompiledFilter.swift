import HealthModel
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
        var remaining: [CompiledFilter] = []
        for part in parts {
            switch part {
            case .always(true): continue
            case .always(false): return .always(false)
            case .every(let inner): remaining += inner
            default: remaining.append(part)
            }
        }
        return remaining.count == 1 ? remaining[0] : remaining.isEmpty ? .always(true) : .every(remaining)
    }

    /// Returns the disjunction of these filters, without the trivial ones.
    static func disjunction(_ parts: [CompiledFilter]) -> CompiledFilter {
        var remaining: [CompiledFilter] = []
        for part in parts {
            switch part {
            case .always(false): continue
            case .always(true): return .always(true)
            case .any(let inner): remaining += inner
            default: remaining.append(part)
            }
        }
        return remaining.count == 1 ? remaining[0] : remaining.isEmpty ? .always(false) : .any(remaining)
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
        case .object(let condition):
            return condition.matches(try object.contents().body)
        case .quantity, .category:
            return false
        }
    }
}
