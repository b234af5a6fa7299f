import HealthFiles
import HealthModel

/// The types that devices and services record.
extension MeasuredType {
    static let heartRate = MeasuredType("HeartRate", "count/min")
    static let restingHeartRate = MeasuredType("RestingHeartRate", "count/min")
    static let variability = MeasuredType("HeartRateVariabilityRMSSD", "ms")
    static let respiratoryRate = MeasuredType("RespiratoryRate", "count/min")
    static let oxygenSaturation = MeasuredType("OxygenSaturation", "%")
    static let activeEnergy = MeasuredType("ActiveEnergyBurned", "kcal")
    static let exerciseTime = MeasuredType("AppleExerciseTime", "min")
    static let steps = MeasuredType("StepCount", "count")
    static let pushes = MeasuredType("PushCount", "count")
    static let bodyMass = MeasuredType("BodyMass", "kg")
    static let bodyFat = MeasuredType("BodyFatPercentage", "%")
    static let bodyMassIndex = MeasuredType("BodyMassIndex", "count")
    static let systolic = MeasuredType("BloodPressureSystolic", "mmHg")
    static let diastolic = MeasuredType("BloodPressureDiastolic", "mmHg")
    static let strideLength = MeasuredType("RunningStrideLength", "m")
    static let groundContact = MeasuredType("RunningGroundContactTime", "ms")
    static let oscillation = MeasuredType("RunningVerticalOscillation", "cm")
    static let runningPower = MeasuredType("RunningPower", "W")
    static let cyclingPower = MeasuredType("CyclingPower", "W")
    static let cyclingCadence = MeasuredType("CyclingCadence", "count/min")
    static let strokes = MeasuredType("SwimmingStrokeCount", "count")
    static let depth = MeasuredType("UnderwaterDepth", "m")
    static let distanceOnFoot = MeasuredType("DistanceWalkingRunning", "m")
    static let flights = MeasuredType("FlightsClimbed", "count")
    static let basalEnergy = MeasuredType("BasalEnergyBurned", "kcal")
    static let height = MeasuredType("Height", "m")
    static let oxygenUptake = MeasuredType("VO2Max", "mL/min·kg")
    static let bodyTemperature = MeasuredType("BodyTemperature", "degC")
    static let wristTemperature = MeasuredType("AppleSleepingWristTemperature", "degC")
    static let glucose = MeasuredType("BloodGlucose", "mmol<180.1558800000541>/L")
    static let water = MeasuredType("DietaryWater", "L")

    /// The type of the distance of a workout activity, if it has one.
    static func distance(of activity: UInt) -> MeasuredType? { distances[activity] }
    /// The type of the speed of a workout activity, if it has one.
    static func speed(of activity: UInt) -> MeasuredType? { speeds[activity] }

    /// The type of the power of a workout activity, if it has one.
    static func power(of activity: UInt) -> MeasuredType? { [13: cyclingPower, 37: runningPower][activity] }

    /// The types of speeds.
    static var speedTypes: [MeasuredType] { Set(speeds.values).sorted { $0.code < $1.code } }

    /// The types of distances.
    static var distanceTypes: Set<MeasuredType> { Set(distances.values) }

    private static let distances = table(WorkoutBody.distances, unit: "m")

    private static let speeds = table(
        [
            ("RunningSpeed", [37]), ("CyclingSpeed", [13, 74]), ("WalkingSpeed", [52, 24]), ("RowingSpeed", [35]),
            ("PaddleSportsSpeed", [31]), ("CrossCountrySkiingSpeed", [60]),
        ], unit: "m/s")

    private static func table(_ names: [(name: String, activities: [UInt])], unit: String) -> [UInt: MeasuredType] {
        Dictionary(
            uniqueKeysWithValues: names.flatMap { name, activities in
                activities.map { ($0, MeasuredType(name, unit)) }
            })
    }
}
