/// The document type of exported archives: version 14 of the format, as written since iOS 17, and completed.
///
/// It also declares what iOS writes without declaring it, such as a workout's activities and their contents, inline
/// locations of routes, and a few attributes that only a store has.
enum ArchiveDefinition {
    /// The format version.
    static let version = 14

    /// XML declaration and document type.
    static let text: String = {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!DOCTYPE HealthData [",
            "<!-- HealthKit Export Version: \(version) -->",
        ]
        for element in elements {
            if let comment = element.comment { lines.append("<!-- \(comment) -->") }
            lines.append("<!ELEMENT \(element.name) \(element.content)>")
            guard !element.required.isEmpty || !element.implied.isEmpty else { continue }
            lines.append("<!ATTLIST \(element.name)")
            lines += element.required.map { "  \($0) CDATA #REQUIRED" }
            lines += element.implied.map { "  \($0) CDATA #IMPLIED" }
            lines.append(">")
        }
        lines.append("]>")
        return lines.joined(separator: "\n") + "\n"
    }()

    /// The declaration of one element.
    struct Element {
        var name: String
        var content: String
        var required: [String] = []
        var implied: [String] = []
        var comment: String?
    }

    /// All elements in order of declaration.
    static let elements: [Element] = [
        Element(
            name: "HealthData",
            content:
                "(ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)",
            required: ["locale"]),
        Element(name: "ExportDate", content: "EMPTY", required: ["value"]),
        Element(
            name: "Me", content: "EMPTY",
            required: [
                "DateOfBirth", "BiologicalSex", "BloodType", "FitzpatrickSkinType", "CardioFitnessMedicationsUse",
            ].map { "HKCharacteristicTypeIdentifier" + $0 },
            implied: ["WheelchairUse", "ActivityMoveMode"].map { "HKCharacteristicTypeIdentifier" + $0 }),
        Element(
            name: "Record", content: "((MetadataEntry|HeartRateVariabilityMetadataList)*)", required: ["type"] + source,
            implied: origin + ["unit", "value"], comment: "Samples. Members of correlations are here as well."),
        Element(
            name: "Correlation", content: "((MetadataEntry|Record)*)", required: ["type"] + source, implied: origin),
        Element(
            name: "Workout", content: "((MetadataEntry|WorkoutEvent|WorkoutActivity|WorkoutRoute|WorkoutStatistics)*)",
            required: ["workoutActivityType"] + source,
            implied: origin + ["duration", "durationUnit"]
                + ["totalDistance", "totalEnergyBurned", "totalSwimmingStrokeCount", "totalFlightsClimbed"].flatMap {
                    [$0, $0 + "Unit"]
                }),
        Element(
            name: "WorkoutActivity", content: "((MetadataEntry|WorkoutEvent|WorkoutStatistics)*)",
            required: ["uuid", "startDate"],
            implied: ["workoutActivityType", "endDate", "duration", "durationUnit"],
            comment: "Parts of a workout; their statistics are included in the workout's."),
        Element(
            name: "WorkoutEvent", content: "((MetadataEntry)*)", required: ["type", "date"],
            implied: ["duration", "durationUnit"]),
        Element(
            name: "WorkoutStatistics", content: "EMPTY", required: ["type", "startDate", "endDate"],
            implied: ["average", "minimum", "maximum", "sum", "unit"]),
        Element(
            name: "WorkoutRoute", content: "((MetadataEntry|FileReference|Location)*)", required: source,
            implied: origin),
        Element(name: "FileReference", content: "EMPTY", required: ["path"]),
        Element(
            name: "Location", content: "EMPTY", required: ["date", "latitude", "longitude"],
            implied: ["altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed"],
            comment: "Points of a route without a file."),
        Element(
            name: "ActivitySummary", content: "EMPTY",
            implied: [
                "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
                "appleMoveTime", "appleMoveTimeGoal", "appleExerciseTime", "appleExerciseTimeGoal", "appleStandHours",
                "appleStandHoursGoal",
            ]),
        Element(name: "MetadataEntry", content: "EMPTY", required: ["key", "value"]),
        Element(
            name: "HeartRateVariabilityMetadataList", content: "(InstantaneousBeatsPerMinute*)",
            comment: "The beats behind a heart-rate variability."),
        Element(name: "InstantaneousBeatsPerMinute", content: "EMPTY", required: ["bpm", "time"]),
        Element(
            name: "ClinicalRecord", content: "((MetadataEntry)*)",
            required: [
                "type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate", "resourceFilePath",
            ], implied: origin),
        Element(
            name: "Audiogram", content: "((MetadataEntry|SensitivityPoint)*)", required: ["type"] + source,
            implied: origin),
        Element(
            name: "SensitivityPoint", content: "EMPTY", required: ["frequencyValue", "frequencyUnit"],
            implied: ["leftEar", "rightEar"].flatMap { ear in
                ["Value", "Unit", "Masked", "ClampingRangeLowerBound", "ClampingRangeUpperBound"].map { ear + $0 }
            }),
        Element(
            name: "VisionPrescription", content: "((RightEye|LeftEye|Attachment|MetadataEntry)*)",
            required: ["type", "dateIssued"], implied: ["expirationDate", "brand", "sourceName"] + origin),
        Element(name: "RightEye", content: "EMPTY", implied: lens),
        Element(name: "LeftEye", content: "EMPTY", implied: lens),
        Element(name: "Attachment", content: "EMPTY", implied: ["identifier"]),
    ]

    private static let source = ["sourceName", "startDate", "endDate"]
    private static let origin = ["sourceVersion", "device", "creationDate"]
    private static let lens = [
        "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD", "baseCurve",
        "diameter",
    ].flatMap { [$0, $0 + "Unit"] }
}

/// The names of files in an exported archive.
enum ArchiveLayout {
    /// The folder that contains all files.
    static let folder = "apple_health_export"
    /// The English name of the main file.
    static let mainFile = "export.xml"
}
