import Foundation
import HealthModel

/// What a file of a device contains, in HealthKit's terms.
package struct DeviceContent: Sendable {
    var samples: [SampleRecord] = []
    /// Samples by the thousand.
    var series: [DeviceSeries] = []
    /// Workouts, with the samples that belong to them, and correlations.
    var objects: [ObjectRecord] = []
    /// Samples by the thousand that belong to one of ``objects``, as heart rates belong to a workout.
    var members: [(owner: Int, series: DeviceSeries)] = []
    /// Objects that belong to one of ``objects``, as a route belongs to its workout.
    var parts: [(owner: Int, object: ObjectRecord)] = []
    /// Whether an export of a store wrote the file.
    var isExport = false
    /// The types of series whose amounts may have grown since an earlier archive, which the grown ones replace.
    var growing: Set<TypeCode> = []
    /// How often something was left out, by a text that ends with “left out”.
    var leftOut: [String: Int] = [:]

    /// The number of samples and objects.
    package var count: Int {
        samples.count + series.reduce(0) { $0 + $1.count } + objects.reduce(0) { $0 + 1 + $1.members.count }
            + members.reduce(0) { $0 + $1.series.count } + parts.count
    }

    /// Adds an object with all of the samples that belong to it.
    ///
    /// - Returns: Its place in ``objects``.
    @discardableResult
    mutating func append(_ object: ObjectRecord, _ series: some Sequence<DeviceSeries>) -> Int {
        let place = objects.count
        objects.append(object)
        members += series.sorted { $0.type < $1.type }.map { (place, $0) }
        return place
    }

    mutating func leaveOut(_ what: String, count: Int = 1) {
        leftOut["\(what), left out", default: 0] += count
    }

    /// An identity that is the same in every import of the same content.
    static func identity(_ text: String) -> UUID {
        let first = FNV1a.hash(text.utf8)
        let second = FNV1a.hash(text.utf8, seed: first)
        func byte(_ number: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (place * 8)) }
        var bytes: [UInt8] = (0..<8).map { byte(first, $0) } + (0..<8).map { byte(second, $0) }
        // A version for identities of one's own, and the usual variant.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
}

/// Samples of one type, source and device as columns, for files with thousands of them.
struct DeviceSeries: Sendable {
    let type: TypeCode
    /// Empty for categories.
    let unit: String
    let samples: DeviceSamples
    private(set) var starts: [Double] = []
    private(set) var ends: [Double] = []
    private(set) var values: [Double] = []

    init(_ type: DeviceType, _ samples: DeviceSamples) {
        (self.type, unit, self.samples) = (type.code, type.unit, samples)
    }

    /// An empty series of the same type and source.
    init(of series: DeviceSeries) {
        (type, unit, samples) = (series.type, series.unit, series.samples)
    }

    var count: Int { starts.count }

    mutating func append(_ value: Double, _ start: Double, _ end: Double) {
        starts.append(start)
        ends.append(end)
        values.append(value)
    }

    /// Appends values of moments.
    mutating func append(_ values: [Double], at dates: [Double]) {
        // Several series of a recording share its dates.
        guard count > 0 else { return (starts, ends, self.values) = (dates, dates, values) }
        starts += dates
        ends += dates
        self.values += values
    }
}

/// Creates samples of one source and device.
struct DeviceSamples: Sendable {
    let revision: SourceRevisionRecord
    let device: DeviceRecord?

    /// A quantity sample of the type with this name, such as `HeartRate`.
    func quantity(
        _ type: DeviceType, _ value: Double, _ start: Double, _ end: Double? = nil, metadata: Metadata = .empty
    ) -> SampleRecord {
        SampleRecord(
            type: type.code, start: start, end: end ?? start, value: value, unit: type.unit, revision: revision,
            device: device, metadata: metadata)
    }

    func object(
        _ identifier: String, _ start: Double, _ end: Double, metadata: Metadata = .empty, _ body: ObjectBody,
        members: [SampleRecord] = []
    ) -> ObjectRecord {
        ObjectRecord(
            type: DeviceType.code(identifier), start: start, end: end, revision: revision, device: device,
            metadata: metadata, body: body, members: members)
    }
}

/// A type of samples that devices record, with the unit in which they do.
struct DeviceType: Hashable, Sendable {
    let identifier: String
    let code: TypeCode
    let unit: String

    init(_ name: String, _ unit: String) {
        identifier = "HKQuantityTypeIdentifier" + name
        code = Self.code(identifier)
        self.unit = unit
    }

    /// The code of a type of the catalog.
    static func code(_ identifier: String) -> TypeCode {
        guard let type = TypeCatalog.description(for: identifier) else {
            preconditionFailure("\(identifier) is not in the catalog.")
        }
        return type.code
    }

    static let heartRate = DeviceType("HeartRate", "count/min")
    static let restingHeartRate = DeviceType("RestingHeartRate", "count/min")
    static let variability = DeviceType("HeartRateVariabilityRMSSD", "ms")
    static let respiratoryRate = DeviceType("RespiratoryRate", "count/min")
    static let oxygenSaturation = DeviceType("OxygenSaturation", "%")
    static let activeEnergy = DeviceType("ActiveEnergyBurned", "kcal")
    static let exerciseTime = DeviceType("AppleExerciseTime", "min")
    static let steps = DeviceType("StepCount", "count")
    static let pushes = DeviceType("PushCount", "count")
    static let bodyMass = DeviceType("BodyMass", "kg")
    static let bodyFat = DeviceType("BodyFatPercentage", "%")
    static let bodyMassIndex = DeviceType("BodyMassIndex", "count")
    static let systolic = DeviceType("BloodPressureSystolic", "mmHg")
    static let diastolic = DeviceType("BloodPressureDiastolic", "mmHg")
    static let strideLength = DeviceType("RunningStrideLength", "m")
    static let groundContact = DeviceType("RunningGroundContactTime", "ms")
    static let oscillation = DeviceType("RunningVerticalOscillation", "cm")
    static let runningPower = DeviceType("RunningPower", "W")
    static let cyclingPower = DeviceType("CyclingPower", "W")
    static let cyclingCadence = DeviceType("CyclingCadence", "count/min")
    static let strokes = DeviceType("SwimmingStrokeCount", "count")
    static let depth = DeviceType("UnderwaterDepth", "m")
    static let distanceOnFoot = DeviceType("DistanceWalkingRunning", "m")
    static let flights = DeviceType("FlightsClimbed", "count")
    static let basalEnergy = DeviceType("BasalEnergyBurned", "kcal")
    static let height = DeviceType("Height", "m")
    static let oxygenUptake = DeviceType("VO2Max", "mL/min·kg")
    static let bodyTemperature = DeviceType("BodyTemperature", "degC")
    static let wristTemperature = DeviceType("AppleSleepingWristTemperature", "degC")
    static let glucose = DeviceType("BloodGlucose", "mmol<180.1558800000541>/L")
    static let water = DeviceType("DietaryWater", "L")

    /// The type of the distance of a workout activity, if it has one.
    static func distance(of activity: UInt) -> DeviceType? { distances[activity] }
    /// The type of the speed of a workout activity, if it has one.
    static func speed(of activity: UInt) -> DeviceType? { speeds[activity] }

    /// The types of distances.
    static var distanceTypes: Set<DeviceType> { Set(distances.values) }

    private static let distances: [UInt: DeviceType] = {
        let names: [(String, [UInt])] = [
            ("WalkingRunning", [37, 52, 24]), ("Cycling", [13, 74]), ("Swimming", [46]), ("Wheelchair", [70, 71]),
            ("DownhillSnowSports", [61, 67]), ("CrossCountrySkiing", [60]), ("PaddleSports", [31]), ("Rowing", [35]),
            ("SkatingSports", [39]),
        ]
        return table(names.map { ("Distance" + $0.0, $0.1) }, unit: "m")
    }()

    private static let speeds = table(
        [
            ("RunningSpeed", [37]), ("CyclingSpeed", [13, 74]), ("WalkingSpeed", [52, 24]), ("RowingSpeed", [35]),
            ("PaddleSportsSpeed", [31]), ("CrossCountrySkiingSpeed", [60]),
        ], unit: "m/s")

    private static func table(_ names: [(String, [UInt])], unit: String) -> [UInt: DeviceType] {
        Dictionary(
            uniqueKeysWithValues: names.flatMap { name, activities in
                activities.map { ($0, DeviceType(name, unit)) }
            })
    }
}
