import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import AppleHealthExport

/// Everything that is not a record.
@Suite struct ArchiveObjectTests {
    private let frame =
        "sourceName=\"Jo’s Apple\u{A0}Watch\" sourceVersion=\"9.3.1\" device=\"\(ArchiveText.device)\" creationDate=\"2024-03-01 11:00:05 +0100\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\""
    private let start = ArchiveText.instant(2024, 3, 1, 9)

    private func one(_ element: String, skips: [String] = []) throws -> (object: ObjectRecord, parsed: Parsed) {
        let parsed = Parsed(ArchiveText.file([element]))
        #expect(parsed.skips.map(\.reason) == skips && parsed.error == nil && parsed.objects.count == 1)
        return (try #require(parsed.objects.first), parsed)
    }

    private func workout(
        _ attributes: String, _ children: [String], skips: [String] = []
    ) throws -> (WorkoutBody, ObjectRecord) {
        let (object, parsed) = try one(
            "<Workout \(attributes) \(frame)>\n\(children.joined(separator: "\n"))\n</Workout>", skips: skips)
        #expect(parsed.identifiers[object.type] == "HKWorkoutTypeIdentifier")
        guard case .workout(let body) = object.body else { throw ImportError(.unreadable, "no workout") }
        return (body, object)
    }

    @Test func readsAWorkoutOfIOS15() throws {
        let (body, object) = try workout(
            "workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"30.5\" durationUnit=\"min\" totalDistance=\"5.2\" totalDistanceUnit=\"km\" totalEnergyBurned=\"312\" totalEnergyBurnedUnit=\"Cal\"",
            [
                ArchiveText.entry("HKIndoorWorkout", "0"), ArchiveText.entry("HKElevationAscended", "418 cm"),
                "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2024-03-01 10:10:00 +0100\"/>",
                "<WorkoutEvent type=\"HKWorkoutEventTypeLap\" date=\"2024-03-01 10:20:00 +0100\" duration=\"5\" durationUnit=\"min\"><MetadataEntry key=\"k\" value=\"v\"/></WorkoutEvent>",
                "<WorkoutRoute sourceName=\"r\" startDate=\"x\" endDate=\"y\"><FileReference path=\"/workout-routes/a.gpx\"/></WorkoutRoute>",
            ], skips: ["its startDate is not a date, its reference is preserved"])
        #expect(body.activityType == 37 && body.duration == 1_830)
        #expect(
            body.totalDistance == QuantityRecord(5.2, unit: "km")
                && body.totalEnergyBurned == QuantityRecord(312, unit: "Cal"))
        #expect(object.start == start && object.end == start + 3_600 && object.creation == start + 3_605)
        #expect(object.device?.hardwareVersion == "Watch6,7" && object.revision?.version == "9.3.1")
        #expect(object.metadata["HKElevationAscended"] == .quantity(418, unit: "cm"))
        #expect(
            body.events == [
                .init(type: 1, start: start + 600, end: start + 600),
                .init(
                    type: 3, start: start + 1_200, end: start + 1_500,
                    metadata: Metadata([.init(key: "k", value: .string("v"))])),
            ])
        #expect(
            body.archived.map(\.name) == ["WorkoutRoute"]
                && body.archived[0].children[0]["path"] == "/workout-routes/a.gpx")
    }

    @Test func readsAWorkoutOfIOS17() throws {
        let statistics =
            "<WorkoutStatistics type=\"HKQuantityTypeIdentifierActiveEnergyBurned\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\" sum=\"312.5\" unit=\"Cal\"/>"
        let rate =
            "<WorkoutStatistics type=\"HKQuantityTypeIdentifierHeartRate\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\" average=\"140.2\" minimum=\"98\" maximum=\"171\" unit=\"count/min\"/>"
        let (body, _) = try workout(
            "workoutActivityType=\"HKWorkoutActivityTypeCycling\" duration=\"14.866333333333333\" durationUnit=\"min\"",
            [
                ArchiveText.entry("HKIndoorWorkout", "1"),
                "<WorkoutActivity uuid=\"6C2A1B7E-0B1E-4C8A-9B1D-111111111111\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\" duration=\"60\" durationUnit=\"min\"><WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2024-03-01 10:10:00 +0100\"/>\(statistics)<MetadataEntry key=\"WOIntervalStepKeyPath\" value=\"0.0.0\"/></WorkoutActivity>",
                statistics, rate,
            ])
        #expect(body.activityType == 13 && body.statistics.count == 2)
        #expect(body.totalEnergyBurned == QuantityRecord(312.5, unit: "Cal"), "the outer sum, once")
        #expect(
            body.statistics[1].average == 140.2 && body.statistics[1].minimum == 98 && body.statistics[1].maximum == 171
        )
        let activity = try #require(body.activities.first)
        #expect(activity.uuid.uuidString == "6C2A1B7E-0B1E-4C8A-9B1D-111111111111")
        #expect(activity.activityType == 13 && activity.duration == 3_600 && activity.locationType == 2)
        #expect(activity.events.count == 1 && activity.statistics.count == 1)
        #expect(activity.metadata["WOIntervalStepKeyPath"] == .string("0.0.0"))
    }

    @Test func keepsWhatAWorkoutHasBesides() throws {
        let (body, object) = try workout(
            "workoutActivityType=\"HKWorkoutActivityTypeJuggling\" duration=\"1\" durationUnit=\"hr\" new=\"1\"",
            ["<WorkoutEvent type=\"HKWorkoutEventTypeNap\" date=\"2024-03-01 10:10:00 +0100\"/>", "<Thing/>"])
        #expect(body.activityType == 3_000 && body.duration == 3_600)
        #expect(object.metadata["_archived.attribute.workoutActivityType"] == .string("HKWorkoutActivityTypeJuggling"))
        #expect(object.metadata["_archived.attribute.new"] == .string("1"))
        #expect(object.metadata["_archived.duration"] == .string("1 hr"))
        #expect(body.archived.map(\.name) == ["WorkoutEvent", "Thing"])
    }

    @Test func computesAMissingDuration() throws {
        let (body, _) = try workout(
            "workoutActivityType=\"HKWorkoutActivityTypeYoga\"",
            [
                "<WorkoutEvent type=\"HKWorkoutEventTypePause\" date=\"2024-03-01 10:10:00 +0100\"/>",
                "<WorkoutEvent type=\"HKWorkoutEventTypeResume\" date=\"2024-03-01 10:15:00 +0100\"/>",
            ])
        #expect(body.duration == 3_300)
    }

    @Test func readsActivitySummaries() throws {
        let (object, _) = try one(
            "<ActivitySummary dateComponents=\"2024-03-01\" activeEnergyBurned=\"412.5\" activeEnergyBurnedGoal=\"500\" activeEnergyBurnedUnit=\"Cal\" appleMoveTime=\"0\" appleMoveTimeGoal=\"0\" appleExerciseTime=\"31\" appleExerciseTimeGoal=\"30\" appleStandHours=\"11\" appleStandHoursGoal=\"12\" paused=\"1\"/>"
        )
        guard case .activitySummary(let body) = object.body else {
            Issue.record("no summary")
            return
        }
        #expect(body.year == 2024 && body.month == 3 && body.day == 1 && body.moveMode == 1)
        #expect(body.activeEnergyBurned == QuantityRecord(412.5, unit: "Cal"))
        #expect(body.activeEnergyBurnedGoal == QuantityRecord(500, unit: "Cal"))
        #expect(body.appleExerciseTime == QuantityRecord(31, unit: "min"))
        #expect(body.appleStandHoursGoal == QuantityRecord(12, unit: "count"))
        #expect(object.metadata["_archived.attribute.paused"] == .string("1"))
        #expect(object.start == ArchiveText.instant(2024, 3, 1) && object.end == object.start + 86_400)
    }

    @Test func readsActivitySummariesOfVersion11() throws {
        let (object, _) = try one(
            "<ActivitySummary dateComponents=\"2020-03-01\" activeEnergyBurned=\"0\" activeEnergyBurnedGoal=\"0\" appleMoveMinutes=\"20\" appleMoveMinutesGoal=\"60\"/>"
        )
        guard case .activitySummary(let body) = object.body else {
            Issue.record("no summary")
            return
        }
        #expect(body.moveMode == 2 && body.appleMoveTime?.value == 20 && body.appleMoveTimeGoal?.value == 60)
    }

    @Test func readsCorrelationsWithTheirMembers() throws {
        let systolic = ArchiveText.record(
            type: "HKQuantityTypeIdentifierBloodPressureSystolic", unit: "mmHg", value: "120",
            children: [ArchiveText.entry("HKWasUserEntered", "1")])
        let diastolic = ArchiveText.record(
            type: "HKQuantityTypeIdentifierBloodPressureDiastolic", unit: "mmHg", value: "80")
        let (object, parsed) = try one(
            "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" \(frame)>\n<MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>\(systolic)\n\(diastolic)</Correlation>"
        )
        #expect(parsed.identifiers[object.type] == "HKCorrelationTypeIdentifierBloodPressure")
        #expect(object.metadata.wasUserEntered && object.members.map(\.value) == [120, 80])
        #expect(object.members[0].unit == "mmHg" && object.members[0].metadata.wasUserEntered)
        #expect(object.members[0].revision?.source.name == "iPhone" && object.members[0].start == start)
        #expect(parsed.samples == [])
    }

    @Test func reportsMembersItCannotRead() throws {
        let good = ArchiveText.record(type: "HKQuantityTypeIdentifierDietaryProtein", unit: "g", value: "3")
        let bad = ArchiveText.record(type: "HKQuantityTypeIdentifierDietaryProtein", unit: "m", value: "3")
        let food = "<Correlation type=\"HKCorrelationTypeIdentifierFood\" \(frame)>\n"
        let parsed = Parsed(
            ArchiveText.file([food + bad + "\n" + good + "</Correlation>", food + bad + "</Correlation>"]))
        #expect(parsed.objects.map(\.members.count) == [1, 0])
        let reason = "its unit does not fit its type, preserved as it is"
        #expect(parsed.skips.map(\.reason) == [reason, reason])
        #expect(parsed.skips.map(\.line) == [9, 12])
        #expect(parsed.irregularities["HKCorrelationTypeIdentifierFood without members, preserved as it is"] == 1)
    }

    @Test func keepsCompleteDocuments() throws {
        let parsed = Parsed(
            ArchiveText.file([
                "<Audiogram type=\"HKDataTypeIdentifierAudiogram\" \(frame)><SensitivityPoint frequencyValue=\"500\" frequencyUnit=\"Hz\" leftEarValue=\"20\" leftEarUnit=\"dBHL\"/></Audiogram>",
                "<VisionPrescription type=\"Glasses\" dateIssued=\"2024-03-01 10:00:00 +0100\"><RightEye sphere=\"-1\" sphereUnit=\"D\"/></VisionPrescription>",
                "<ClinicalRecord type=\"Immunization\" identifier=\"i\" sourceName=\"Hospital\" sourceURL=\"u\" fhirVersion=\"4.0.1\" receivedDate=\"2024-03-01 10:00:00 +0100\" resourceFilePath=\"/clinical-records/I.json\"/>",
                "<ClinicalRecord type=\"Patient\" receivedDate=\"2024-03-01 10:00:00 +0100\"/>",
                "<FutureThing value=\"1\"><Inside>text</Inside></FutureThing>",
            ]))
        // The immunization's file is not there; the record is.
        #expect(
            parsed.skips.map(\.type) == ["HKClinicalTypeIdentifierImmunizationRecord"]
                && parsed.irregularities == ["element FutureThing, preserved": 1])
        #expect(
            parsed.objects.map { parsed.identifiers[$0.type] } == [
                "HKDataTypeIdentifierAudiogram", "HKVisionPrescriptionTypeIdentifier",
                "HKClinicalTypeIdentifierImmunizationRecord", "ClinicalRecord#Patient", "FutureThing",
            ])
        #expect(parsed.objects.map(\.start) == [start, start, start, start, 0])
        #expect(parsed.objects[0].end == start + 3_600 && parsed.objects[2].revision?.source.name == "Hospital")
        guard case .archived(let future) = parsed.objects[4].body else {
            Issue.record("no preserved element")
            return
        }
        #expect(ElementText.print(future) == "<FutureThing value=\"1\"><Inside>text</Inside></FutureThing>")
    }

    @Test func devicesOfDocumentsHaveNoAddress() {
        let audiogram = "<Audiogram type=\"HKDataTypeIdentifierAudiogram\" \(frame)/>"
        let first = Parsed(ArchiveText.file([audiogram]))
        let second = Parsed(ArchiveText.file([audiogram.replacingOccurrences(of: "0x282e3a260", with: "0x1")]))
        #expect(first.objects == second.objects)
    }

    @Test(arguments: [
        ("HKWorkoutTypeIdentifier", "<Workout sourceName=\"a\"/>", "it has no startDate"),
        (
            "HKWorkoutTypeIdentifier",
            "<Workout sourceName=\"a\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 09:00:00 +0100\"/>",
            "it ends before it starts"
        ),
        ("HKActivitySummaryTypeIdentifier", "<ActivitySummary/>", "it has no dateComponents"),
        (
            "HKActivitySummaryTypeIdentifier", "<ActivitySummary dateComponents=\"2024-02-03\" appleStandHours=\"x\"/>",
            "its appleStandHours is not a number"
        ),
        ("Correlation", "<Correlation/>", "it has no type"),
        ("a", "<Correlation type=\"a\" sourceName=\"b\"/>", "it has no startDate"),
    ])
    func skipsUnreadableRecords(_ type: String, _ element: String, _ reason: String) {
        let parsed = Parsed(ArchiveText.file([element]))
        #expect(parsed.skips == [.init(line: 8, type: type, reason: reason)] && parsed.objects == [])
    }

    @Test func refusesElementsThatAreTooDeep() {
        let deep = String(repeating: "<a>", count: 5_000) + String(repeating: "</a>", count: 5_000)
        let parsed = Parsed(ArchiveText.file([deep, ArchiveText.record()]))
        #expect(parsed.samples.count == 1 && parsed.skips.map(\.reason) == ["its elements are nested too deeply"])
    }
}
