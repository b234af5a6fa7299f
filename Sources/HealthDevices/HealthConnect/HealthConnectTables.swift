import HealthFiles
import HealthModel

/// A table of Health Connect with one value at a moment, or over a period, in each row.
///
/// Tables, columns and units are those of the Android Open Source Project, packages/modules/HealthFitness, in which each
/// type of record has a helper that creates its table.
struct HealthConnectTable {
    let name: String
    let column: String
    let type: MeasuredType
    /// The number by which a value is divided: energy is in calories, masses are in grams.
    let divisor: Double
    let isPeriod: Bool

    init(
        _ name: String, _ column: String, _ type: MeasuredType, by divisor: Double = 1, isPeriod: Bool = false
    ) {
        (self.name, self.column, self.type) = (name + "_record_table", column, type)
        (self.divisor, self.isPeriod) = (divisor, isPeriod)
    }

    /// The activity of a type of exercise session.
    static func activity(_ type: Int64) -> (activity: UInt, isIndoor: Bool) {
        (activities[type] ?? 3_000, indoorActivities.contains(type))
    }
}
