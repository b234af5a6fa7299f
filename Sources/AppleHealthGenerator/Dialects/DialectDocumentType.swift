import AppleHealthExport

/// The document type of a version of iOS, with its declarations and defects.
struct DialectDocumentType {
    private typealias Element = ElementDeclaration

    private let dialect: ArchiveDialect
    private let isAsWritten: Bool

    /// - Parameter isAsWritten: Whether to declare only what that version of iOS declares; otherwise everything in the
    ///   archive is declared.
    init(_ dialect: ArchiveDialect, isAsWritten: Bool) {
        self.dialect = dialect
        self.isAsWritten = isAsWritten
    }

    /// The XML declaration and document type.
    var text: String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE HealthData [\n"
        if let version = dialect.exportVersion { text += "<!-- HealthKit Export Version: \(version) -->\n" }
        let isMalformed = isAsWritten && dialect.hasMalformedDocumentType
        for element in elements {
            let isOpen = isMalformed && element.name == "VisionPrescription"
            text += element.declaration(isClosed: !isOpen) + "\n"
            if isMalformed, element.name == "LeftEye" {
                text += "  device CDATA #IMPLIED\n" + Self.metadataEntry.declaration() + "\n>\n"
            }
            if element.name == "Correlation" {
                text += "<!-- Note: members of correlations are also top-level records. -->\n"
            }
        }
        return text + "]>\n"
    }

    private static let metadataEntry = Element(name: "MetadataEntry", content: "EMPTY", required: ["key", "value"])
    /// The attributes of a source in every archive but the first.
    private static let origin = ["sourceVersion", "device", "creationDate"]
    private var origin: [String] { dialect.hasFirstForm ? [] : Self.origin }
    private var source: String { dialect.hasFirstForm ? "source" : "sourceName" }

    private var version: Int { dialect.exportVersion ?? 0 }

    private var elements: [Element] {
        [healthData, Element(name: "ExportDate", content: "EMPTY", required: ["value"]), person] + samples + workouts
            + (dialect.hasSummaries ? [summary] : []) + [Self.metadataEntry] + beats + clinical + hearing + eyes
    }

    private var healthData: Element {
        var parts = ["Record", "Correlation", "Workout"]
        if dialect.hasSummaries { parts.append("ActivitySummary") }
        if dialect.hasClinicalRecords { parts.append("ClinicalRecord") }
        // Versions 11 and 12 declare both and leave them out here.
        if dialect.hasAudiograms, version >= 13 || !isAsWritten { parts.append("Audiogram") }
        if dialect.hasPrescriptions, version >= 13 || !isAsWritten { parts.append("VisionPrescription") }
        return Element(
            name: "HealthData", content: "(ExportDate,Me,(\(parts.joined(separator: "|")))*)", required: ["locale"])
    }

    private var person: Element {
        var names = ["DateOfBirth", "BiologicalSex", "BloodType", "FitzpatrickSkinType"]
        if dialect.hasCardioFitnessMedications, !(isAsWritten && dialect.hasMalformedDocumentType) {
            names.append("CardioFitnessMedicationsUse")
        }
        return Element(name: "Me", content: "EMPTY", required: names.map { "HKCharacteristicTypeIdentifier" + $0 })
    }

    private var samples: [Element] {
        [
            Element(
                name: "Record",
                content: version >= 8 ? "((MetadataEntry|HeartRateVariabilityMetadataList)*)" : "(MetadataEntry*)",
                required: ["type", source, "startDate", "endDate"],
                implied: ["unit", "value"] + (dialect.hasFirstForm ? ["recordCount"] : origin)),
            Element(
                name: "Correlation", content: "((MetadataEntry|Record)*)",
                required: ["type", source, "startDate", "endDate"], implied: origin),
        ]
    }

    private var workouts: [Element] {
        let isMended = !isAsWritten
        let isMalformed = isAsWritten && dialect.hasMalformedDocumentType
        var parts = ["MetadataEntry", "WorkoutEvent"]
        if dialect.hasRoutes { parts.append("WorkoutRoute") }
        if dialect.hasWorkoutStatistics, !isMalformed { parts.append("WorkoutStatistics") }
        if dialect.hasWorkoutStatistics, isMended { parts.append("WorkoutActivity") }
        var list = [
            Element(
                name: "Workout", content: "((\(parts.joined(separator: "|")))*)",
                required: ["workoutActivityType", source, "startDate", "endDate"],
                implied: [
                    "duration", "durationUnit", "totalDistance", "totalDistanceUnit", "totalEnergyBurned",
                    "totalEnergyBurnedUnit",
                ] + origin)
        ]
        if dialect.hasWorkoutStatistics {
            list.append(
                Element(
                    name: "WorkoutActivity",
                    content: isMended ? "((MetadataEntry|WorkoutEvent|WorkoutStatistics)*)" : "((MetadataEntry)*)",
                    required: ["uuid", "startDate"], implied: ["endDate", "duration", "durationUnit"]))
        }
        list.append(
            Element(
                name: "WorkoutEvent", content: version >= 13 || isMended ? "((MetadataEntry)*)" : "EMPTY",
                required: ["type", "date"], implied: dialect.hasEventDurations ? ["duration", "durationUnit"] : []))
        if dialect.hasWorkoutStatistics {
            list.append(
                Element(
                    name: "WorkoutStatistics", content: "EMPTY", required: ["type", "startDate", "endDate"],
                    implied: ["average", "minimum", "maximum", "sum"] + (isMalformed ? [] : ["unit"])))
        }
        guard dialect.hasRoutes else { return list }
        list.append(
            Element(
                name: "WorkoutRoute",
                content: "((MetadataEntry|\(dialect.hasInlineLocations ? "Location" : "FileReference"))*)",
                required: [source, "startDate", "endDate"], implied: origin))
        list.append(
            dialect.hasInlineLocations
                ? Element(
                    name: "Location", content: "EMPTY",
                    required: [
                        "date", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course",
                        "speed",
                    ]) : Element(name: "FileReference", content: "EMPTY", required: ["path"]))
        return list
    }

    private var summary: Element {
        Element(
            name: "ActivitySummary", content: "EMPTY",
            implied: ["dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit"]
                + (dialect.moveTimeName.map { [$0, $0 + "Goal"] } ?? [])
                + ["appleExerciseTime", "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal"])
    }

    private var beats: [Element] {
        guard version >= 8 else { return [] }
        return [
            Element(name: "HeartRateVariabilityMetadataList", content: "(InstantaneousBeatsPerMinute*)"),
            Element(name: "InstantaneousBeatsPerMinute", content: "EMPTY", required: ["bpm", "time"]),
        ]
    }

    private var clinical: [Element] {
        guard dialect.hasClinicalRecords else { return [] }
        return [
            Element(
                name: "ClinicalRecord", content: "EMPTY",
                required: [
                    "type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate", "resourceFilePath",
                ])
        ]
    }

    private var hearing: [Element] {
        guard dialect.hasAudiograms else { return [] }
        let isMended = version >= 13 || !isAsWritten
        let ears = ["leftEar", "rightEar"].flatMap { ear in
            (["Value", "Unit"]
                + (dialect.hasHearingTest ? ["Masked", "ClampingRangeLowerBound", "ClampingRangeUpperBound"] : []))
                .map { ear + $0 }
        }
        return [
            Element(
                name: "Audiogram", content: isMended ? "((MetadataEntry|SensitivityPoint)*)" : "EMPTY",
                required: ["type", "sourceName", "startDate", "endDate"], implied: Self.origin),
            Element(
                name: "SensitivityPoint", content: "EMPTY", required: ["frequencyValue", "frequencyUnit"], implied: ears
            ),
        ]
    }

    private var eyes: [Element] {
        guard dialect.hasPrescriptions else { return [] }
        let figures = [
            "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD", "baseCurve",
            "diameter",
        ].flatMap { [$0, $0 + "Unit"] }
        var list = [
            Element(
                name: "VisionPrescription",
                content: "((RightEye|LeftEye\(dialect.hasAttachments ? "|Attachment" : "")|MetadataEntry)*)",
                required: ["type", "dateIssued"], implied: ["expirationDate", "brand"]),
            Element(name: "RightEye", content: "EMPTY", implied: figures),
            Element(name: "LeftEye", content: "EMPTY", implied: figures),
        ]
        if dialect.hasAttachments {
            list.append(Element(name: "Attachment", content: "EMPTY", implied: ["identifier"]))
        }
        return list
    }
}
