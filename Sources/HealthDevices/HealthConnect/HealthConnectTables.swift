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
    var divisor = 1.0
    var isPeriod = false

    /// A table with a number of values in each record.
    struct Series {
        /// The table of the records, and that of the values.
        let record: String
        let name: String
        let column: String
        /// The types of HealthKit: of speed and power one for each sport.
        let types: [MeasuredType]
    }

    static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"
    static let foodEnergy = MeasuredType("DietaryEnergyConsumed", "kcal")

    /// The type of a segment that is a pause.
    static let pause: Int64 = 67
    /// The exercise sessions that are swimming in open water and in a pool.
    static let (openWater, pool): (Int64, Int64) = (48, 49)

    /// The column of nutrition with a type.
    static func nutrient(_ type: TypeCode) -> (column: String, type: MeasuredType)? {
        type == foodEnergy.code ? ("energy", foodEnergy) : nutrients.first { $0.type.code == type }
    }

    /// The activity of a type of exercise session.
    static func activity(_ type: Int64) -> (activity: UInt, isIndoor: Bool) {
        (activities[type] ?? 3_000, indoorActivities.contains(type))
    }

    /// The type of exercise session of a workout, 58 for one of another kind.
    static func exercise(_ activity: UInt, _ metadata: Metadata) -> Int64 {
        if let type = writtenActivities[activity] { return type }
        let types = activities.filter { $0.value == activity }.keys.sorted()
        if types.contains(pool) { return metadata["HKSwimmingLocationType"]?.number == 2 ? openWater : pool }
        let isIndoor = metadata["HKIndoorWorkout"]?.number == 1
        return types.first { indoorActivities.contains($0) == isIndoor } ?? types.first ?? 58
    }
}
