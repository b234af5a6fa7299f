import HealthAnswers
import HealthEngine

/// Statistics of blood pressure: both figures side by side, as people know them.
enum BloodPressureListing {
    static let type = "HKCorrelationTypeIdentifierBloodPressure"
    static let parts = [
        "HKQuantityTypeIdentifierBloodPressureSystolic", "HKQuantityTypeIdentifierBloodPressureDiastolic",
    ]

    /// A table of the systolic figures with those of the diastolic ones: `117/78`.
    static func joined(_ systolic: Table, _ diastolic: Table) -> Table {
        let others = Dictionary(diastolic.rows.map { ($0[0], $0) }) { first, _ in first }
        var table = Table(systolic.columns)
        for row in systolic.rows {
            // Without intervals, each has its own times.
            let other = others[row[0]] ?? (systolic.rows.count == 1 ? diastolic.rows.first : nil)
            table.add(
                row.indices.map { $0 == 0 || row[$0] == other?[$0] ? row[$0] : "\(row[$0])/\(other?[$0] ?? "–")" })
        }
        return table
    }

    /// Bars from the diastolic to the systolic averages.
    static func chart(
        _ systolic: StatisticsAnswer, _ diastolic: StatisticsAnswer, label: (StatisticsAnswer.Statistic) -> String
    ) -> String {
        let others = Dictionary(diastolic.statistics.map { ($0.start, $0.values.average) }) { first, _ in first }
        let unit = NumberOutput.name(ofUnit: systolic.unit)
        let pairs = systolic.statistics.map { [$0.values.average, others[$0.start] ?? nil] }
        let shown = pairs.map { NumberOutput.column($0, unit).joined(separator: "/") }
        let ends = [pairs.compactMap { $0[1] }.min(), pairs.compactMap { $0[0] }.max()]
        let scale = NumberOutput.column(ends, unit)
        return RangeChart(
            rows: systolic.statistics.indices.map {
                .init(
                    label: label(systolic.statistics[$0]), minimum: pairs[$0][1], maximum: pairs[$0][0],
                    shown: "\(shown[$0]) \(unit)")
            }, scale: (scale[0], scale[1])
        ).text()
    }
}
