import HealthModel

/// A table of Health Connect with one value at a moment, or over a period, in each row.
///
/// Tables, columns and units are those of the Android Open Source Project, packages/modules/HealthFitness, in which each
/// type of record has a helper that creates its table.
struct HealthConnectTable {
    let name: String
    let column: String
    let type: DeviceType
    /// The number by which a value is divided.
    let divisor: Double
    let isPeriod: Bool

    private init(
        _ name: String, _ column: String, _ type: DeviceType, by divisor: Double = 1, isPeriod: Bool = false
    ) {
        (self.name, self.column, self.type) = (name + "_record_table", column, type)
        (self.divisor, self.isPeriod) = (divisor, isPeriod)
    }

    static let all: [HealthConnectTable] = [
        .init("steps", "count", .steps, isPeriod: true),
        .init("distance", "distance", .distanceOnFoot, isPeriod: true),
        // Energy is in calories, of which a kilocalorie has a thousand.
        .init("active_calories_burned", "energy", .activeEnergy, by: 1_000, isPeriod: true),
        .init("floors_climbed", "floors", .flights, isPeriod: true),
        .init("wheelchair_pushes", "count", .pushes, isPeriod: true),
        .init("hydration", "volume", .water, isPeriod: true),
        .init("resting_heart_rate", "beats_per_minute", .restingHeartRate),
        .init("heart_rate_variability_rmssd", "heart_rate_variability_millis", .variability),
        .init("oxygen_saturation", "percentage", .oxygenSaturation, by: 100),
        .init("respiratory_rate", "rate", .respiratoryRate),
        .init("body_temperature", "temperature", .bodyTemperature),
        .init("basal_body_temperature", "temperature", DeviceType("BasalBodyTemperature", "degC")),
        .init("vo2_max", "vo2_milliliters_per_minute_kilogram", .oxygenUptake),
        .init("blood_glucose", "level", .glucose),
        // Masses are in grams.
        .init("weight", "weight", .bodyMass, by: 1_000),
        .init("lean_body_mass", "mass", DeviceType("LeanBodyMass", "kg"), by: 1_000),
        .init("body_fat", "percentage", .bodyFat, by: 100),
        .init("height", "height", .height),
    ]

    /// The columns of nutrition by type of HealthKit, in grams.
    static let nutrients: [(column: String, type: DeviceType)] = [
        ("protein", "Protein"), ("total_carbohydrate", "Carbohydrates"), ("sugar", "Sugar"),
        ("dietary_fiber", "Fiber"), ("total_fat", "FatTotal"), ("saturated_fat", "FatSaturated"),
        ("monounsaturated_fat", "FatMonounsaturated"), ("polyunsaturated_fat", "FatPolyunsaturated"),
        ("cholesterol", "Cholesterol"), ("sodium", "Sodium"), ("potassium", "Potassium"), ("calcium", "Calcium"),
        ("iron", "Iron"), ("magnesium", "Magnesium"), ("zinc", "Zinc"), ("copper", "Copper"),
        ("manganese", "Manganese"), ("selenium", "Selenium"), ("chromium", "Chromium"), ("iodine", "Iodine"),
        ("molybdenum", "Molybdenum"), ("phosphorus", "Phosphorus"), ("chloride", "Chloride"),
        ("caffeine", "Caffeine"), ("biotin", "Biotin"), ("folate", "Folate"), ("niacin", "Niacin"),
        ("pantothenic_acid", "PantothenicAcid"), ("riboflavin", "Riboflavin"), ("thiamin", "Thiamin"),
        ("vitamin_a", "VitaminA"), ("vitamin_b6", "VitaminB6"), ("vitamin_b12", "VitaminB12"),
        ("vitamin_c", "VitaminC"), ("vitamin_d", "VitaminD"), ("vitamin_e", "VitaminE"), ("vitamin_k", "VitaminK"),
    ].map { ($0.0, DeviceType("Dietary" + $0.1, "g")) }

    /// The activity of a type of exercise session.
    static func activity(_ type: Int64) -> (activity: UInt, isIndoor: Bool) {
        let indoor: Set<Int64> = [5, 34, 59, 60, 61]
        return (activities[type] ?? 3_000, indoor.contains(type))
    }

    private static let activities: [Int64: UInt] = [
        1: 4, 2: 5, 3: 6, 4: 13, 5: 13, 6: 63, 7: 8, 8: 20, 9: 10, 10: 77, 12: 18, 13: 1, 14: 3, 15: 75, 16: 21, 17: 29,
        18: 22, 19: 23, 20: 63, 21: 24, 22: 25, 23: 39, 24: 28, 25: 31, 27: 66, 28: 34, 29: 9, 30: 25, 31: 35, 32: 36,
        33: 37, 34: 37, 35: 38, 36: 84, 37: 39, 38: 61, 39: 67, 40: 60, 41: 41, 42: 42, 43: 43, 44: 44, 45: 50, 46: 62,
        47: 45, 48: 46, 49: 46, 50: 47, 51: 48, 52: 51, 53: 52, 54: 54, 55: 50, 56: 70, 57: 57, 59: 44, 60: 16, 61: 35,
    ]
}
