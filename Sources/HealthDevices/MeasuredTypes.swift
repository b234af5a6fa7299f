import HealthFiles
import HealthModel

/// The types that devices and services record.
extension MeasuredType {
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

extension SampleOrigin {
    /// A night's sample of sleep analysis.
    func sleep(_ value: SleepValue, _ start: Double, _ end: Double) -> SampleRecord {
        sample(MeasuredType.code("HKCategoryTypeIdentifierSleepAnalysis"), Double(value.rawValue), start, end)
    }

    /// A blood pressure in millimeters of mercury.
    func bloodPressure(
        _ systolic: Double, _ diastolic: Double, _ start: Double, _ end: Double, metadata: Metadata = .empty
    ) -> ObjectRecord {
        object(
            "HKCorrelationTypeIdentifierBloodPressure", start, end, metadata: metadata, .none,
            members: [quantity(.systolic, systolic, start, end), quantity(.diastolic, diastolic, start, end)])
    }
}
