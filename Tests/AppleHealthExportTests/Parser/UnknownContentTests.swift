@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthStorage
import Testing

/// Content that no version of the format is known to have goes into a store and comes out of it.
@Suite struct UnknownContentTests {
    private static let span = "startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\""
    private static let frame = "sourceName=\"S\" " + span

    /// An attribute and a child that name the element they belong to.
    private static func odd(_ name: String) -> (attribute: String, child: String) {
        ("zz=\"a\(name)\"", "<Zz of=\"c\(name)\"><Deep>text &amp; more</Deep></Zz>")
    }

    private static func element(_ name: String, _ attributes: String, _ children: String = "") -> String {
        let odd = odd(name)
        return "<\(name) \(attributes) \(odd.attribute)>\(children)\(odd.child)</\(name)>"
    }

    /// The elements that contain others or none, each with something unknown.
    private static let elements: [(name: String, text: String)] = [
        ("Record", element("Record", "type=\"HKQuantityTypeIdentifierStepCount\" unit=\"count\" value=\"7\" \(frame)")),
        (
            "Correlation",
            element(
                "Correlation", "type=\"HKCorrelationTypeIdentifierFood\" \(frame)",
                "<Record type=\"HKQuantityTypeIdentifierDietaryProtein\" unit=\"g\" value=\"3\" \(frame)/>")
        ),
        (
            "Workout",
            element(
                "Workout",
                "workoutActivityType=\"HKWorkoutActivityTypeYoga\" duration=\"60\" durationUnit=\"min\" \(frame)")
        ),
        (
            "ActivitySummary",
            element(
                "ActivitySummary",
                "dateComponents=\"2024-03-01\" activeEnergyBurned=\"1\" activeEnergyBurnedUnit=\"kcal\"")
        ),
        (
            "Audiogram",
            element(
                "Audiogram", "type=\"HKDataTypeIdentifierAudiogram\" \(frame)",
                element(
                    "SensitivityPoint",
                    "frequencyValue=\"500\" frequencyUnit=\"Hz\" leftEarValue=\"1\" leftEarUnit=\"dBHL\"")
                    + "<SensitivityPoint frequencyValue=\"600\" frequencyUnit=\"Hz\" leftEarValue=\"1\" leftEarUnit=\"dBHL\" zz=\"aPoint\"/>"
            )
        ),
        (
            "VisionPrescription",
            element(
                "VisionPrescription", "type=\"Glasses\" dateIssued=\"2024-03-01 10:00:00 +0100\"",
                "<RightEye sphere=\"1\" sphereUnit=\"D\" zz=\"aRightEye\"/>"
                    + element("LeftEye", "sphere=\"1\" sphereUnit=\"D\"")
                    + element("Attachment", "identifier=\"x\""))
        ),
        (
            "ClinicalRecord",
            element(
                "ClinicalRecord",
                "type=\"Condition\" identifier=\"i\" sourceName=\"H\" sourceURL=\"u\" fhirVersion=\"4.0.1\" receivedDate=\"2024-03-01 10:00:00 +0100\" resourceFilePath=\"/clinical-records/C.json\""
            )
        ),
        ("Later", element("Later", "value=\"1\" when=\"2024-03-01 10:00:00 +0100\"", element("Inside", "a=\"1\""))),
        (
            "WorkoutEvent",
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeRowing\" duration=\"60\" durationUnit=\"min\" \(frame)>"
                + element("WorkoutEvent", "type=\"HKWorkoutEventTypePause\" date=\"2024-03-01 10:10:00 +0100\"")
                + element(
                    "WorkoutStatistics",
                    "type=\"HKQuantityTypeIdentifierHeartRate\" \(span) average=\"1\" unit=\"count/min\"")
                + element(
                    "WorkoutActivity",
                    "uuid=\"6C2A1B7E-0B1E-4C8A-9B1D-111111111111\" \(span) duration=\"60\" durationUnit=\"min\"")
                + "</Workout>"
        ),
        (
            "MetadataEntry",
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeSailing\" duration=\"60\" durationUnit=\"min\" \(frame)>"
                + element("MetadataEntry", "key=\"k\" value=\"v\"")
                + "<MetadataEntry key=\"Free text key\" value=\"1 furlong\"/></Workout>"
        ),
    ]

    /// Everything in a text that says where it was, with its count.
    private static func marks(_ text: String) -> [String: Int] {
        var marks: [String: Int] = [:]
        for match in text.matches(of: /(?:zz|of)="([ac][A-Za-z]+)"/) { marks[String(match.1), default: 0] += 1 }
        return marks
    }

    @Test(arguments: elements.map(\.name)) func isExported(_ name: String) throws {
        let element = try #require(Self.elements.first { $0.name == name }).text
        let folder = try TemporaryFolder()
        let engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        let path = try folder.write(ArchiveText.file([element]), as: "export.xml")
        let report = try ArchiveImporter(engine: engine).run(path: path)
        // Files beside the main one are not there; nothing else is amiss.
        #expect(report.skips.allSatisfy { $0.reason.hasSuffix("its reference is preserved") })
        #expect(report.addedCount > 0)
        let target = folder.path + "/out.xml"
        _ = try ArchiveExporter(
            engine: engine,
            options: ExportOptions(
                exportDate: Date(timeIntervalSinceReferenceDate: 8e8),
                timeZone: try #require(TimeZone(identifier: "GMT")))
        ).run(to: .xml(path: target))
        let written = try String(contentsOfFile: target, encoding: .utf8)
        #expect(Self.marks(written) == Self.marks(element))
        #expect(
            written.components(separatedBy: "<Deep>text &amp; more</Deep>").count
                == element.components(separatedBy: "<Deep>").count)
        if name == "MetadataEntry" {
            #expect(written.contains("<MetadataEntry key=\"Free text key\" value=\"1 furlong\"/>"))
        }
        // And once more: nothing is new in it.
        let again = try ArchiveImporter(engine: engine).run(path: target)
        #expect(again.addedCount == 0)
    }
}
