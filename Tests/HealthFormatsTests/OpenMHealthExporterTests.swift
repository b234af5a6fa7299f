import Foundation
import HealthEngine
import HealthFormats
import HealthModel
import Testing

/// Data points, read back as a receiver would.
@Suite("Data points of Open mHealth")
struct OpenMHealthExporterTests {
    private typealias Object = [String: Any]

    private func points(_ path: String) throws -> [Object] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [Object])
    }

    private func bodies(_ points: [Object], _ name: String) -> [Object] {
        points.filter { (($0["header"] as? Object)?["schema_id"] as? Object)?["name"] as? String == name }
            .compactMap { $0["body"] as? Object }
    }

    private func value(_ body: Object?, _ name: String) -> (Double?, String?) {
        let amount = body?[name] as? Object
        return ((amount?["value"] as? NSNumber)?.doubleValue, amount?["unit"] as? String)
    }

    @Test("Samples with a schema are written, others are counted")
    func kinds() throws {
        let store = try FormatStore()
        let report = try OpenMHealthExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out.json"), as: FormatStore.owner)
        let all = try points(store.path("out.json"))
        #expect(report.total == all.count && report.files == 1)
        #expect(bodies(all, "step-count").count == 200 && bodies(all, "heart-rate").count == 200)
        #expect(value(bodies(all, "oxygen-saturation").first, "oxygen_saturation") == (97, "%"))
        #expect(value(bodies(all, "body-mass-index").first, "body_mass_index") == (22.5, "kg/m2"))
        #expect(value(bodies(all, "blood-glucose").first, "blood_glucose") == (5.5, "mmol/L"))
        #expect(value(bodies(all, "body-temperature").first, "body_temperature") == (37, "C"))
        let pressure = try #require(bodies(all, "blood-pressure").first)
        #expect(value(pressure, "systolic_blood_pressure") == (121, "mmHg"))
        #expect(value(pressure, "diastolic_blood_pressure") == (79, "mmHg"))
        let workout = try #require(bodies(all, "physical-activity").first)
        #expect(workout["activity_name"] as? String == "running" && value(workout, "distance") == (5_000, "m"))
        #expect(value(workout, "duration") == (1_700, "sec"))
        #expect(report.leftOut["vo2Max"] == 1 && report.leftOut["electrocardiogram"] == 1)
        #expect(report.leftOut["bloodPressureSystolic"] == nil)
        let identities = all.compactMap { ($0["header"] as? Object)?["uuid"] as? String }
        #expect(Set(identities).count == all.count)
        // A later export may replace it.
        let again = FormatOptions(timeZone: .gmt, replaces: true)
        _ = try OpenMHealthExporter(again).export(store.engine, to: store.path("out.json"), as: FormatStore.owner)
    }

    @Test("A night is an episode, whose stages add up; a gap of more than an hour begins another")
    func nights() throws {
        let store = try FormatStore(count: 0)
        let start = 710_000_000.0
        func part(_ from: Double, _ to: Double, _ value: Double) -> SaveItem {
            .sample(
                SampleRecord(
                    type: FormatStore.type("HKCategoryTypeIdentifierSleepAnalysis"), start: start + from,
                    end: start + to, value: value))
        }
        try store.engine.save(
            [
                part(0, 9_000, 0), part(600, 3_600, 3), part(3_600, 5_400, 4), part(5_400, 5_700, 2),
                part(5_600, 7_200, 5), part(20_000, 23_600, 1),
            ], as: FormatStore.owner)
        _ = try OpenMHealthExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out.json"), as: FormatStore.owner)
        let all = try points(store.path("out.json"))
        #expect(value(bodies(all, "time-in-bed").first, "time_in_bed") == (9_000, "sec"))
        let episodes = bodies(all, "sleep-episode")
        try #require(episodes.count == 2)
        #expect(value(episodes[0], "total_sleep_time") == (3_000 + 1_800 + 1_500, "sec"))
        #expect(value(episodes[0], "light_sleep_duration") == (3_000, "sec"))
        #expect(value(episodes[0], "wake_after_sleep_onset") == (300, "sec"))
        #expect(value(episodes[0], "rem_sleep_duration") == (1_500, "sec"))
        #expect(value(episodes[1], "total_sleep_time") == (3_600, "sec") && episodes[1]["deep_sleep_duration"] == nil)
    }

    @Test("Being awake before the onset and after the final awakening isn’t part of an episode")
    func awake() throws {
        let store = try FormatStore(count: 0)
        // 2023-07-02T14:13:20Z
        let start = 710_000_000.0
        try store.engine.save(
            [(0, 600, 2), (600, 3_600, 3), (3_600, 3_660, 2), (3_660, 3_720, 2), (3_720, 7_200, 5), (7_200, 9_000, 2)]
                .map { (from: Double, to: Double, value: Double) in
                    .sample(
                        SampleRecord(
                            type: FormatStore.type("HKCategoryTypeIdentifierSleepAnalysis"), start: start + from,
                            end: start + to, value: value))
                }, as: FormatStore.owner)
        _ = try OpenMHealthExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out.json"), as: FormatStore.owner)
        let episodes = bodies(try points(store.path("out.json")), "sleep-episode")
        try #require(episodes.count == 1)
        #expect(value(episodes[0], "total_sleep_time") == (6_480, "sec"))
        #expect(value(episodes[0], "wake_after_sleep_onset") == (120, "sec"))
        #expect(episodes[0]["number_of_awakenings"] as? Int == 1)
        let interval = (episodes[0]["effective_time_frame"] as? Object)?["time_interval"] as? Object
        let times = ["start_date_time", "end_date_time"].map { interval?[$0] as? String ?? "" }
        #expect(times[0].hasPrefix("2023-07-02T14:23:20") && times[1].hasPrefix("2023-07-02T16:13:20"), "\(times)")
    }

    @Test("The distances of a workout of several sports add up")
    func multisport() throws {
        let store = try FormatStore(count: 0)
        let start = 710_000_000.0
        var body = WorkoutBody(activityType: 82, duration: 600)
        body.statistics = [("Swimming", 500.0), ("Cycling", 8_000), ("WalkingRunning", 2_000)].map {
            .init(
                type: "HKQuantityTypeIdentifierDistance" + $0.0, start: start, end: start + 600, unit: "m", sum: $0.1)
        }
        try store.engine.save(
            [
                .object(
                    ObjectRecord(
                        type: FormatStore.type("HKWorkoutTypeIdentifier"), start: start, end: start + 600,
                        body: .workout(body)))
            ], as: FormatStore.owner)
        _ = try OpenMHealthExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out.json"), as: FormatStore.owner)
        let workouts = bodies(try points(store.path("out.json")), "physical-activity")
        #expect(workouts.contains { value($0, "distance") == (10_500, "m") })
    }
}
