import Foundation
import HealthModel
import Testing

/// Zones of a workout among its archived elements.
struct WorkoutZoneRecordTests {
    private let route = ArchivedElement(name: ArchivedElement.workoutRoute)

    private func record(_ activity: UUID? = nil) -> WorkoutZoneRecord {
        WorkoutZoneRecord(
            type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", boundaries: [100, 120.5], source: .user,
            durations: [0, 61.25, 1e-3], activity: activity)
    }

    @Test func zonesAreKeptAmongArchivedElements() {
        var body = WorkoutBody(activityType: 37, duration: 60, archived: [route])
        #expect(body.zones == [])
        body.zones = [record(), record(UUID())]
        #expect(body.archived.count == 3)
        #expect(body.archivedWithoutZones == [route])
        let zones = body.zones
        #expect(zones.first == record())
        #expect(zones.last?.activity != nil)
        body.zones = [record()]
        #expect(body.archived.count == 2)
    }

    /// An element that is not valid stays an archived element.
    @Test(arguments: [
        ("boundaries", "120.5 100.0"), ("boundaries", "x 100"), ("boundaries", ""), ("durations", "1 2"),
        ("durations", "1 2 -3"), ("durations", "1 2 nan"), ("source", "other"), ("activity", "x"),
    ])
    func damagedElements(name: String, value: String) throws {
        var body = WorkoutBody(activityType: 37, duration: 60)
        body.zones = [record()]
        body.archived[0].attributes.removeAll { $0.name == name }
        body.archived[0].attributes.append(.init(name: name, value: value))
        #expect(body.zones == [])
        #expect(body.archivedWithoutZones == body.archived)
    }
}
