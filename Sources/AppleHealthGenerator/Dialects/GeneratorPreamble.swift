/// The beginning of a plain archive: the document type and the characteristics.
enum GeneratorPreamble {
    /// The XML declaration and document type of format version 14.
    static var text: String {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!DOCTYPE HealthData [",
            "<!-- HealthKit Export Version: 14 -->",
        ]
        for element in elements {
            lines.append("<!ELEMENT \(element.name) \(element.content)>")
            guard !element.required.isEmpty || !element.implied.isEmpty else { continue }
            lines.append("<!ATTLIST \(element.name)")
            lines += element.required.map { "  \($0) CDATA #REQUIRED" }
            lines += element.implied.map { "  \($0) CDATA #IMPLIED" }
            lines.append(">")
        }
        lines.append("]>")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The person's characteristics.
    static let person = """
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1987-05-04" \
        HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" \
        HKCharacteristicTypeIdentifierBloodType="HKBloodTypeOPositive" \
        HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeIII" \
        HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>

        """

    private struct Element {
        var name: String
        var content: String
        var required: [String] = []
        var implied: [String] = []
    }

    private static let origin = ["sourceVersion", "device", "creationDate"]

    private static let elements: [Element] = [
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
            ]
            .map { "HKCharacteristicTypeIdentifier" + $0 }),
        Element(
            name: "Record", content: "((MetadataEntry|HeartRateVariabilityMetadataList)*)",
            required: ["type", "sourceName", "startDate", "endDate"], implied: origin + ["unit", "value"]),
        Element(
            name: "Correlation", content: "((MetadataEntry|Record)*)",
            required: ["type", "sourceName", "startDate", "endDate"], implied: origin),
        Element(
            name: "Workout", content: "((MetadataEntry|WorkoutEvent|WorkoutRoute|WorkoutStatistics)*)",
            required: ["workoutActivityType", "sourceName", "startDate", "endDate"],
            implied: origin + [
                "duration", "durationUnit", "totalDistance", "totalDistanceUnit", "totalEnergyBurned",
                "totalEnergyBurnedUnit",
            ]),
        Element(
            name: "WorkoutActivity", content: "((MetadataEntry)*)", required: ["uuid", "startDate"],
            implied: ["endDate", "duration", "durationUnit"]),
        Element(
            name: "WorkoutEvent", content: "((MetadataEntry)*)", required: ["type", "date"],
            implied: ["duration", "durationUnit"]),
        Element(
            name: "WorkoutStatistics", content: "EMPTY", required: ["type", "startDate", "endDate"],
            implied: ["average", "minimum", "maximum", "sum", "unit"]),
        Element(
            name: "ActivitySummary", content: "EMPTY",
            implied: [
                "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
                "appleMoveTime",
                "appleMoveTimeGoal", "appleExerciseTime", "appleExerciseTimeGoal", "appleStandHours",
                "appleStandHoursGoal",
            ]),
        Element(name: "MetadataEntry", content: "EMPTY", required: ["key", "value"]),
        Element(name: "HeartRateVariabilityMetadataList", content: "(InstantaneousBeatsPerMinute*)"),
        Element(name: "InstantaneousBeatsPerMinute", content: "EMPTY", required: ["bpm", "time"]),
    ]
}
