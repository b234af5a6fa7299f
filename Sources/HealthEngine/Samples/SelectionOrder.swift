import HealthModel
import HealthPages
import HealthStorage

/// Sorts samples and objects as requested.
struct SelectionOrder {
    typealias Reference = SampleSelection.Reference

    private let batches: [SampleColumns]
    private let objects: [ObjectRow]
    private let keys: [SampleSort]
    /// The conversions of a value to the canonical unit of its type, by batch and number of the unit.
    private let conversions: [[UnitConversion]]

    /// Creates the order. The payload of objects is decoded only if a key needs it.
    init(batches: [SampleColumns], objects: [ObjectRow], sort: [SampleSort], _ dictionaries: StoreDictionaries) {
        self.batches = batches
        self.objects = objects
        conversions = sort.contains { $0.key == .value } ? batches.map { Self.conversions($0, dictionaries) } : []
        keys = sort.isEmpty ? [SampleSort(.sequence)] : sort
    }

    /// Returns references to the first `limit` results, or to all if it is 0.
    func references(limit: Int) throws -> [Reference] {
        if let whole = unsorted(limit: limit) { return whole }
        var entries: [Entry] = []
        entries.reserveCapacity(batches.reduce(objects.count) { $0 + $1.count })
        for (batch, rows) in batches.enumerated() {
            for row in 0..<rows.count {
                entries.append(
                    Entry(
                        key: key(keys[0], batch, row), sequence: rows.sequences[row],
                        reference: .sample(batch: Int32(batch), row: Int32(row))))
            }
        }
        for index in objects.indices {
            entries.append(
                Entry(
                    key: try key(keys[0], index), sequence: objects[index].stored.sequence,
                    reference: .object(Int32(index))))
        }
        if keys.count == 1 {
            entries.sort { ($0.key, $0.sequence) < ($1.key, $1.sequence) }
        } else {
            try entries.sort { try precedes($0, $1) }
        }
        if limit > 0, entries.count > limit { entries.removeLast(entries.count - limit) }
        return entries.map(\.reference)
    }

    /// A result with its first key and its sequence.
    private struct Entry {
        var key: Double
        var sequence: Int64
        var reference: Reference
    }

    /// Returns the references without sorting if there is a single batch in the right order.
    private func unsorted(limit: Int) -> [Reference]? {
        guard batches.count == 1, objects.isEmpty, keys.count == 1, keys[0].ascending else { return nil }
        let rows = batches[0]
        let count = rows.count
        let isOrdered = rows.sequences.withUnsafeBufferPointer { sequences in
            switch keys[0].key {
            case .sequence:
                return (1..<max(count, 1)).allSatisfy { sequences[$0 - 1] < sequences[$0] }
            case .start:
                return rows.starts.withUnsafeBufferPointer { starts in
                    (1..<max(count, 1)).allSatisfy { (row: Int) -> Bool in
                        let previous = starts[row - 1]
                        return previous == starts[row]
                            ? sequences[row - 1] < sequences[row] : previous < starts[row]
                    }
                }
            default:
                return false
            }
        }
        guard isOrdered else { return nil }
        let retained = limit > 0 ? min(limit, count) : count
        return [Reference](unsafeUninitializedCapacity: retained) { buffer, initialized in
            for row in 0..<retained { buffer.initializeElement(at: row, to: .sample(batch: 0, row: Int32(row))) }
            initialized = retained
        }
    }

    private func precedes(_ left: Entry, _ right: Entry) throws -> Bool {
        guard left.key == right.key else { return left.key < right.key }
        for sort in keys.dropFirst() {
            let (one, other) = (try key(sort, left.reference), try key(sort, right.reference))
            guard one == other else { return one < other }
        }
        return left.sequence < right.sequence
    }

    // MARK: Keys as numbers, ascending

    private func key(_ sort: SampleSort, _ reference: Reference) throws -> Double {
        switch reference {
        case .sample(let batch, let row): key(sort, Int(batch), Int(row))
        case .object(let index): try key(sort, Int(index))
        }
    }

    private func key(_ sort: SampleSort, _ batch: Int, _ row: Int) -> Double {
        let rows = batches[batch]
        let value: Double? =
            switch sort.key {
            case .start: rows.starts[row]
            case .end: rows.ends[row]
            case .sequence: Double(rows.sequences[row])
            case .duration: rows.ends[row] - rows.starts[row]
            case .value: conversions[batch][rows.units.isEmpty ? 0 : Int(rows.units[row])](rows.values[row])
            case .workoutTotal: nil
            }
        return Self.oriented(value, sort)
    }

    private func key(_ sort: SampleSort, _ index: Int) throws -> Double {
        var object = objects[index]
        let value: Double?
        switch sort.key {
        case .start: value = object.stored.start
        case .end: value = object.stored.end
        case .sequence: value = Double(object.stored.sequence)
        case .duration: value = try object.duration()
        case .value: value = nil
        case .workoutTotal(let total):
            if case .workout(let workout) = try object.contents().body {
                value = total.value(of: workout)?.value(in: total.unit)
            } else {
                value = nil
            }
        }
        return Self.oriented(value, sort)
    }

    private static func conversions(_ rows: SampleColumns, _ dictionaries: StoreDictionaries) -> [UnitConversion] {
        let canonical = dictionaries.type(rows.type)?.canonicalUnit
        let ofUnits = dictionaries.units.map { unit in
            canonical.flatMap { UnitConversion(between: unit, and: $0) } ?? .identity
        }
        return [.identity] + ofUnits
    }

    /// Missing values and NaN come first in ascending order.
    private static func oriented(_ value: Double?, _ sort: SampleSort) -> Double {
        let known = value.map { $0.isNaN ? -.infinity : $0 } ?? -.infinity
        return sort.ascending ? known : -known
    }
}

extension WorkoutTotal {
    /// A unit that every value of the total can be converted to.
    fileprivate var unit: String {
        switch self {
        case .distance: "m"
        case .energyBurned: "kcal"
        case .swimmingStrokeCount, .flightsClimbed: "count"
        }
    }
}

/// The first sort key as a number for each row, ascending, and its bound in a page's header.
enum SortKey {
    case startAscending, startDescending, endAscending, endDescending
    case sequenceAscending, sequenceDescending

    /// Returns `nil` for keys that headers have no bounds of.
    init?(_ sort: SampleSort?) {
        switch (sort?.key ?? .sequence, sort?.ascending ?? true) {
        case (.start, true): self = .startAscending
        case (.start, false): self = .startDescending
        case (.end, true): self = .endAscending
        case (.end, false): self = .endDescending
        case (.sequence, true): self = .sequenceAscending
        case (.sequence, false): self = .sequenceDescending
        case (.duration, _), (.value, _), (.workoutTotal, _): return nil
        }
    }

    /// Returns a lower bound of the keys of a page.
    func bound(_ header: PageHeader) -> Double {
        switch self {
        case .startAscending, .endAscending: header.firstStart
        case .startDescending: -header.lastStart
        case .endDescending: -header.maximumEnd
        case .sequenceAscending: Double(header.minimumSequence)
        case .sequenceDescending: -Double(header.maximumSequence)
        }
    }

    func key(_ rows: SampleColumns, _ row: Int) -> Double {
        switch self {
        case .startAscending: rows.starts[row]
        case .startDescending: -rows.starts[row]
        case .endAscending: rows.ends[row]
        case .endDescending: -rows.ends[row]
        case .sequenceAscending: Double(rows.sequences[row])
        case .sequenceDescending: -Double(rows.sequences[row])
        }
    }

    /// The column that the key needs.
    var column: SampleColumnSet {
        switch self {
        case .startAscending, .startDescending: .starts
        case .endAscending, .endDescending: .ends
        case .sequenceAscending, .sequenceDescending: .sequences
        }
    }

    /// Whether the bounds of pages ascend in page order.
    var followsPageOrder: Bool { self == .startAscending || self == .endAscending }
    /// Whether the last page most likely has the first results.
    var startsAtLastPage: Bool { self == .startDescending || self == .endDescending }
}
