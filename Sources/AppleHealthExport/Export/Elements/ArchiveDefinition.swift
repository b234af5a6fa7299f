import HealthFormats
import HealthStorageFiles

/// The document type of exported archives: version 14 of the format, as written since iOS 17, and completed.
///
/// It also declares what iOS writes without declaring it, such as a workout's activities and their contents, inline
/// locations of routes, the counts of the first archives, and a few attributes that only a store has. No attribute of
/// an element below the root is required, because an element that lacks one is exported as it was imported.
enum ArchiveDefinition {
    /// The format version.
    static let version = 14

    /// XML declaration and document type.
    static let text: String = {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!DOCTYPE HealthData [",
            "<!-- HealthKit Export Version: \(version) -->", "<!-- \(ExportMark.comment) -->",
        ]
        for element in elements {
            if let comment = element.comment { lines.append("<!-- \(comment) -->") }
            lines.append(element.isComplete ? element.declaration() : element.relaxed.declaration())
        }
        lines.append("]>")
        return lines.joined(separator: "\n") + "\n"
    }()

    /// All elements in order of declaration.
    static let elements: [ElementDeclaration] = [
        ElementDeclaration(
            name: "HealthData",
            content:
                "(ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)",
            required: ["locale"]), ElementDeclaration(name: "ExportDate", content: "EMPTY", required: ["value"]),
        ElementDeclaration(
            name: "Me", content: "EMPTY",
            required: [
                "DateOfBirth", "BiologicalSex", "BloodType", "FitzpatrickSkinType", "CardioFitnessMedicationsUse",
            ].map { "HKCharacteristicTypeIdentifier" + $0 },
            implied: ["WheelchairUse", "ActivityMoveMode"].map { "HKCharacteristicTypeIdentifier" + $0 }),
        ElementDeclaration(
            name: "Record", content: "((MetadataEntry|HeartRateVariabilityMetadataList)*)", required: ["type"] + source,
            implied: origin + ["unit", "value", "recordCount"],
            comment: "Samples. Members of correlations are here as well."),
        ElementDeclaration(
            name: "Correlation", content: "((MetadataEntry|Record)*)", required: ["type"] + source, implied: origin),
        ElementDeclaration(
            name: "Workout", content: "((MetadataEntry|WorkoutEvent|WorkoutActivity|WorkoutRoute|WorkoutStatistics)*)",
            required: ["workoutActivityType"] + source,
            implied: origin + ["duration", "durationUnit"]
                + ["totalDistance", "totalEnergyBurned", "totalSwimmingStrokeCount", "totalFlightsClimbed"].flatMap {
                    [$0, $0 + "Unit"]
                }),
        ElementDeclaration(
            name: "WorkoutActivity", content: "((MetadataEntry|WorkoutEvent|WorkoutStatistics)*)",
            required: ["uuid", "startDate"], implied: ["workoutActivityType", "endDate", "duration", "durationUnit"],
            comment: "Parts of a workout; their statistics are included in the workout's."),
        ElementDeclaration(
            name: "WorkoutEvent", content: "((MetadataEntry)*)", required: ["type", "date"],
            implied: ["duration", "durationUnit"]),
        ElementDeclaration(
            name: "WorkoutStatistics", content: "EMPTY", required: ["type", "startDate", "endDate"],
            implied: ["average", "minimum", "maximum", "sum", "unit"]),
        ElementDeclaration(
            name: "WorkoutRoute", content: "((MetadataEntry|FileReference|Location)*)", required: source,
            implied: origin), ElementDeclaration(name: "FileReference", content: "EMPTY", required: ["path"]),
        ElementDeclaration(
            name: "Location", content: "EMPTY", required: ["date", "latitude", "longitude"],
            implied: ["altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed"],
            comment: "Points of a route without a file."),
        ElementDeclaration(
            name: "ActivitySummary", content: "EMPTY",
            implied: [
                "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
                "appleMoveTime", "appleMoveTimeGoal", "appleExerciseTime", "appleExerciseTimeGoal", "appleStandHours",
                "appleStandHoursGoal",
            ]),
        ElementDeclaration(name: "MetadataEntry", content: "EMPTY", required: ["key", "value"]),
        ElementDeclaration(
            name: "HeartRateVariabilityMetadataList", content: "(InstantaneousBeatsPerMinute*)",
            comment: "The beats behind a heart-rate variability."),
        ElementDeclaration(name: "InstantaneousBeatsPerMinute", content: "EMPTY", required: ["bpm", "time"]),
        ElementDeclaration(
            name: "ClinicalRecord", content: "((MetadataEntry)*)",
            required: [
                "type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate", "resourceFilePath",
            ], implied: origin),
        ElementDeclaration(
            name: "Audiogram", content: "((MetadataEntry|SensitivityPoint)*)", required: ["type"] + source,
            implied: origin),
        ElementDeclaration(
            name: "SensitivityPoint", content: "EMPTY", required: ["frequencyValue", "frequencyUnit"],
            implied: ["leftEar", "rightEar"].flatMap { ear in
                ["Value", "Unit", "Masked", "ClampingRangeLowerBound", "ClampingRangeUpperBound"].map { ear + $0 }
            }),
        ElementDeclaration(
            name: "VisionPrescription", content: "((RightEye|LeftEye|Attachment|MetadataEntry)*)",
            required: ["type", "dateIssued"], implied: ["expirationDate", "brand", "sourceName"] + origin),
        ElementDeclaration(name: "RightEye", content: "EMPTY", implied: lens),
        ElementDeclaration(name: "LeftEye", content: "EMPTY", implied: lens),
        ElementDeclaration(name: "Attachment", content: "EMPTY", implied: ["identifier"]),
    ]

    private static let source = ["sourceName", "startDate", "endDate"]
    private static let origin = ["sourceVersion", "device", "creationDate"]
    private static let lens = [
        "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD", "baseCurve",
        "diameter",
    ].flatMap { [$0, $0 + "Unit"] }
}

/// The declaration of an element in a document type.
package struct ElementDeclaration {
    package var name: String
    package var content: String
    package var required: [String]
    package var implied: [String]
    var comment: String?

    package init(
        name: String, content: String, required: [String] = [], implied: [String] = [], comment: String? = nil
    ) {
        self.name = name
        self.content = content
        self.required = required
        self.implied = implied
        self.comment = comment
    }

    /// Whether the element always has its required attributes, because it is never exported as it was imported.
    fileprivate var isComplete: Bool { ["HealthData", "ExportDate", "Me"].contains(name) }

    /// The declaration without required attributes.
    fileprivate var relaxed: ElementDeclaration {
        ElementDeclaration(name: name, content: content, implied: required + implied, comment: comment)
    }

    /// The markup, without a line break at its end.
    ///
    /// - Parameter isClosed: Whether the list of attributes ends, as opposed to a defect of iOS 16.
    package func declaration(isClosed: Bool = true) -> String {
        var lines = ["<!ELEMENT \(name) \(content)>"]
        guard !required.isEmpty || !implied.isEmpty else { return lines[0] }
        lines.append("<!ATTLIST \(name)")
        lines += required.map { "  \($0) CDATA #REQUIRED" }
        lines += implied.map { "  \($0) CDATA #IMPLIED" }
        if isClosed { lines.append(">") }
        return lines.joined(separator: "\n")
    }
}

/// The names of files in an exported archive.
enum ArchiveLayout {
    /// The folder that contains all files.
    static let folder = "apple_health_export"
    /// The English name of the main file.
    static let mainFile = "export.xml"
}
