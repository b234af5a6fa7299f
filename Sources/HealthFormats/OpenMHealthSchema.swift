/// The schemas of Open mHealth and IEEE 1752.1 that describe measurements.
struct OpenMHealthSchema {
    /// How a schema is named.
    struct Identifier: Hashable {
        var namespace: String
        var name: String
        var version: String

        static func omh(_ name: String, _ version: String) -> Identifier {
            Identifier(namespace: "omh", name: name, version: version)
        }

        static func ieee(_ name: String) -> Identifier { Identifier(namespace: "ieee", name: name, version: "1.0") }
    }

    /// A unit of the schema.
    struct Unit {
        var name: String
        /// The same in HealthKit, whose values are multiplied by the factor.
        var healthKit: String
        var factor = 1.0
    }

    var id: Identifier
    /// The member of the body with the value.
    var member: String
    /// The units, of which the first that fits is used.
    var units: [Unit]
    /// Whether the schema requires an interval.
    var isInterval = false
    /// Further members of the body.
    var texts: [(name: String, text: String)] = []

    private init(
        _ name: String, _ version: String, _ units: [Unit], member: String? = nil, isInterval: Bool = false,
        texts: [(name: String, text: String)] = []
    ) {
        id = .omh(name, version)
        self.member = member ?? name.split(separator: "-").joined(separator: "_")
        (self.units, self.isInterval, self.texts) = (units, isInterval, texts)
    }

    private static let percent = [Unit(name: "%", healthKit: "%", factor: 100)]
    private static let beats = [Unit(name: "beats/min", healthKit: "count/min")]
    private static let celsius = [Unit(name: "C", healthKit: "degC")]
    private static let liters = [Unit(name: "L", healthKit: "L")]
    private static let kilocalories = [Unit(name: "kcal", healthKit: "kcal")]

    /// By the identifiers of types.
    static let quantities: [String: OpenMHealthSchema] = {
        let schemas: [(String, OpenMHealthSchema)] = [
            ("HeartRate", .init("heart-rate", "2.0", beats)),
            (
                "RestingHeartRate",
                .init("heart-rate", "2.0", beats, texts: [("temporal_relationship_to_physical_activity", "at rest")])
            ),
            (
                "StepCount",
                .init("step-count", "3.0", [Unit(name: "steps", healthKit: "count")], isInterval: true)
            ),
            ("BodyMass", .init("body-weight", "3.0", [Unit(name: "kg", healthKit: "kg")])),
            ("Height", .init("body-height", "2.0", [Unit(name: "cm", healthKit: "cm")])),
            ("BodyMassIndex", .init("body-mass-index", "2.0", [Unit(name: "kg/m2", healthKit: "count")])),
            ("BodyFatPercentage", .init("body-fat-percentage", "1.0", percent)),
            ("BodyTemperature", .init("body-temperature", "4.0", celsius)),
            ("BasalBodyTemperature", .init("body-temperature", "4.0", celsius)),
            (
                "BloodGlucose",
                .init(
                    "blood-glucose", "4.0",
                    [
                        Unit(name: "mg/dL", healthKit: "mg/dL"),
                        Unit(name: "mmol/L", healthKit: "mmol<180.1558800000541>/L"),
                    ])
            ),
            (
                "OxygenSaturation",
                .init("oxygen-saturation", "2.0", percent, texts: [("system", "peripheral capillary")])
            ),
            ("RespiratoryRate", .init("respiratory-rate", "2.0", [Unit(name: "breaths/min", healthKit: "count/min")])),
            ("ForcedVitalCapacity", .init("forced-vital-capacity", "1.0", liters)),
            (
                "ForcedExpiratoryVolume1",
                .init("forced-expiratory-volume-1-second", "1.0", liters)
            ),
            (
                "ActiveEnergyBurned",
                .init("calories-burned", "2.0", kilocalories, member: "kcal_burned", isInterval: true)
            ),
            (
                "AppleExerciseTime",
                .init("minutes-moderate-activity", "1.0", [Unit(name: "min", healthKit: "min")], isInterval: true)
            ),
        ]
        return Dictionary(uniqueKeysWithValues: schemas.map { ("HKQuantityTypeIdentifier" + $0.0, $0.1) })
    }()
}
