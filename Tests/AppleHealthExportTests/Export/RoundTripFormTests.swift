import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import HealthStorage
import Testing

@testable import AppleHealthExport

/// Content that can be written in several forms is exported in the form in which it was read, or as Docs/Archive.md
/// says, and always valid.
@Suite struct RoundTripFormTests {
    private let folder: TemporaryFolder
    private let engine: HealthEngine
    private let span = "startDate=\"2020-01-01 10:00:00 +0000\" endDate=\"2020-01-01 10:30:00 +0000\""

    init() throws {
        folder = try TemporaryFolder()
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
    }

    /// Imports elements, and exports the store to a main file, which is valid.
    private func exported(_ elements: [String]) throws -> String {
        _ = try importing(elements)
        let path = folder.path + "/\(UUID()).xml"
        _ = try ArchiveExporter(
            engine: engine, options: .init(exportDate: Date(timeIntervalSinceReferenceDate: 7.9e8), timeZone: .gmt)
        ).run(to: .xml(path: path))
        let run = try ExternalTool.xmllint.run(["--valid", "--noout", path])
        #expect(run.status == 0 && run.errors == "", "\(run.errors.prefix(1_000))")
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    private func importing(_ elements: [String]) throws -> ImportReport {
        let bytes = Array(ArchiveText.file(elements).utf8)
        return try ArchiveImporter(engine: engine).run(path: folder.write(bytes, as: "in.xml"))
    }

    private func workout(_ attributes: String, _ children: String = "") -> String {
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\"\(attributes) sourceName=\"Phone\" \(span)>"
            + children + "</Workout>"
    }

    private var energy: String {
        "<WorkoutStatistics type=\"HKQuantityTypeIdentifierActiveEnergyBurned\" \(span) sum=\"200\" unit=\"kcal\"/>"
    }

    @Test(arguments: [
        "", " duration=\"30\"", " duration=\"30\" durationUnit=\"min\"", " durationUnit=\"min\"",
        " duration=\"0.5\" durationUnit=\"hr\"",
    ])
    func durationsOfWorkouts(_ attributes: String) throws {
        let text = try exported([
            workout(
                attributes,
                "<WorkoutEvent type=\"HKWorkoutEventTypeLap\" date=\"2020-01-01 10:00:00 +0000\" duration=\"5\"/>")
        ])
        #expect(text.contains("HKWorkoutActivityTypeRunning\"\(attributes) sourceName"))
        #expect(text.contains(" duration=\"5\"/>"))
    }

    @Test(
        arguments: [
            "", " totalEnergyBurned=\"200\" totalEnergyBurnedUnit=\"kcal\"", " totalEnergyBurned=\"200\"",
            " totalDistance=\"5\" totalDistanceUnit=\"km\"",
            " totalDistance=\"5\" totalDistanceUnit=\"km\" totalEnergyBurned=\"200\" totalEnergyBurnedUnit=\"kcal\"",
            " totalEnergyBurned=\"190\" totalEnergyBurnedUnit=\"kcal\"",
        ], [false, true])
    func totalsBesideStatistics(_ attributes: String, hasStatistics: Bool) throws {
        let duration = " duration=\"30\" durationUnit=\"min\""
        let text = try exported([workout(duration + attributes, hasStatistics ? energy : "")])
        #expect(text.contains("HKWorkoutActivityTypeRunning\"\(duration)\(attributes) sourceName"))
    }

    /// The form makes no other workout: a later archive has the same without totals, or with a unit.
    @Test func anotherFormIsTheSameWorkout() throws {
        let forms = [
            workout(" duration=\"30\" totalEnergyBurned=\"200\" totalEnergyBurnedUnit=\"kcal\"", energy),
            workout(" duration=\"30\" durationUnit=\"min\"", energy), workout("", energy),
        ]
        #expect(try importing([forms[0]]).added.values.reduce(0, +) == 1)
        for form in forms { #expect(try importing([form]).added.values.reduce(0, +) == 0) }
    }

    private func record(_ type: String, _ value: String) -> String {
        "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"Phone\" unit=\"mmHg\" \(span) value=\"\(value)\"/>"
    }

    @Test(arguments: [false, true]) func membersOfCorrelationsKeepTheirOrder(isReversed: Bool) throws {
        let members = [record("BloodPressureSystolic", "120"), record("BloodPressureDiastolic", "80")]
        let inside = isReversed ? members.reversed() : members
        let head = "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"Phone\" \(span)>"
        for outside in [members, members.reversed()] {
            let elements = outside + [head + inside.joined() + "</Correlation>"]
            let text = try exported(elements)
            let correlation = try #require(text.split(separator: "<Correlation").last)
            let places = try inside.map { try #require(correlation.range(of: $0)).lowerBound }
            #expect(places[0] < places[1])
            #expect(
                try importing([head + inside.reversed().joined() + "</Correlation>"]).added.values.reduce(0, +) == 0)
        }
    }

    /// Content that is incomplete or of the first archives is exported as it was, and valid.
    @Test func incompleteContentIsExportedAsValid() throws {
        let steps = "HKQuantityTypeIdentifierStepCount"
        let point = "<Location date=\"2020-01-01 10:00:00 +0000\" latitude=\"52\" longitude=\"13\"/>"
        let elements = [
            "<Record type=\"HKQuantityTypeIdentifierVO2Max\" sourceName=\"a\" unit=\"ml/kg/min\" \(span) value=\"41\"/>",
            "<Record type=\"\(steps)\" sourceName=\"a\" unit=\"count\" \(span) value=\"41\" recordCount=\"3\"/>",
            "<Record type=\"\(steps)\" sourceName=\"Unknown\" unit=\"count\" \(span) value=\"42\"/>",
            "<Workout duration=\"30\" durationUnit=\"min\" sourceName=\"Phone\" \(span)/>",
            workout(
                "",
                "<WorkoutRoute \(span)>\(point)</WorkoutRoute>"
            ),
        ]
        let text = try exported(elements.map { $0.replacing(" sourceName=\"Unknown\"", with: "") })
        for element in elements.dropLast() { #expect(text.contains(element)) }
        #expect(text.contains("<WorkoutRoute sourceName=\"Unknown\" \(span)>"))
        // Nothing is added by a second import.
        #expect(try importing(elements.reversed()).added.values.reduce(0, +) == 0)
    }

    /// Docs/Archive.md: two texts of one category value are exported as the newer one.
    @Test func namesOfCategoryValues() throws {
        func record(_ type: String, _ value: String) -> String {
            "<Record type=\"HKCategoryTypeIdentifier\(type)\" sourceName=\"Phone\" \(span)\(value)/>"
        }
        let text = try exported([
            record("SleepAnalysis", " value=\"HKCategoryValueSleepAnalysisAsleep\""), record("MindfulSession", ""),
        ])
        #expect(text.contains(record("SleepAnalysis", " value=\"HKCategoryValueSleepAnalysisAsleepUnspecified\"")))
        #expect(text.contains(record("MindfulSession", " value=\"HKCategoryValueNotApplicable\"")))
    }
}
