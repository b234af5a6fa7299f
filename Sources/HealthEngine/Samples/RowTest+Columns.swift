import HealthModel

extension RowTest {
    /// Which rows pass. The columns named by ``columns`` must be there.
    func marks(of rows: SampleColumns, count: Int) -> [Bool] {
        switch self {
        case .always(let answer):
            return [Bool](repeating: answer, count: count)
        case .every(let parts):
            var result = [Bool](repeating: true, count: count)
            for part in parts {
                let marks = part.marks(of: rows, count: count)
                for row in 0..<count { result[row] = result[row] && marks[row] }
            }
            return result
        case .any(let parts):
            var result = [Bool](repeating: false, count: count)
            for part in parts {
                let marks = part.marks(of: rows, count: count)
                for row in 0..<count { result[row] = result[row] || marks[row] }
            }
            return result
        case .not(let part):
            var result = part.marks(of: rows, count: count)
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
        case .quantity(let test):
            return Self.collect(count) { test.holds(rows.values[$0], unit: rows.units[$0]) }
        case .revision(let set):
            return Self.collect(count) { set.contains(rows.revisions[$0]) }
        case .device(let set):
            return Self.collect(count) { set.contains($0 < rows.devices.count ? rows.devices[$0] : 0) }
        case .sequence(let set):
            return Self.collect(count) {
                set.contains(rows.sequences[$0], hasGivenIdentity: rows.uuid(at: $0) != nil)
            }
        case .metadata(let test):
            // Once for every distinct metadata, not once for every row.
            let answers = [test.matches(.empty)] + rows.metadataTable.map(test.matches)
            return Self.collect(count) { answers[$0 < rows.metadata.count ? Int(rows.metadata[$0]) : 0] }
        case .object:
            return [Bool](repeating: false, count: count)
        }
    }

    /// One loop per operator, so that none decides anything per row.
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
