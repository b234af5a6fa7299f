import HealthModel
import HealthStorage

extension ObjectRow {
    /// A workout's figure of one quantity type: as stored with it, else worked out from the samples that
    /// belong to it, which come from one recording and are not merged. `nil` where there is neither.
    mutating func figure(_ figure: WorkoutStatistic, of type: String) throws -> QuantityRecord? {
        guard case .workout(let workout) = try contents().body else { return nil }
        if workout.statistics.contains(where: { $0.type == type }) {
            return figure.value(of: type, in: workout.statistics)
        }
        guard let description = reader.dictionaries.type(identifier: type),
            let unit = description.canonicalUnit, let style = description.aggregationStyle
        else { return nil }
        let rows = try reader.members(of: stored.sequence, type: description.code)
        let units = CanonicalUnits(unit: unit, dictionaries: reader.dictionaries)
        let options: StatisticsOptions =
            style.isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        let values = StatisticsValues(
            BucketTotals(rows, units: units, needs: StatisticsNeeds(options, style: style)), options: options,
            style: style)
        let value =
            switch figure {
            case .sum: values.sum
            case .average: values.average
            case .minimum: values.minimum
            case .maximum: values.maximum
            }
        return value.map { QuantityRecord($0, unit: unit) }
    }
}

extension BucketTotals {
    /// All of these rows in one bucket, sources not merged. Rows are ordered by start.
    fileprivate init(_ rows: SampleColumns, units: CanonicalUnits, needs: StatisticsNeeds) {
        self.init()
        let buffer = RowBuffer(capacity: max(rows.count, 1))
        for row in 0..<rows.count {
            guard let conversion = units.conversion(rows.units[row]) else { continue }
            buffer.starts[buffer.count] = rows.starts[row]
            buffer.ends[buffer.count] = rows.ends[row]
            buffer.values[buffer.count] = conversion(rows.values[row])
            buffer.count += 1
        }
        withUnsafeMutablePointer(to: &self) { totals in
            [-Double.infinity, .infinity].withUnsafeBufferPointer { bounds in
                guard let base = bounds.baseAddress else { return }
                let grid = BucketGrid(bounds: base, count: 1)
                needs.addFigures(of: buffer.rows, to: totals, grid, withSum: true)
            }
        }
    }
}
