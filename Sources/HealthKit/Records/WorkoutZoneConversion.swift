import Foundation
import HealthEngine
import HealthModel

// Zones of workouts ⇄ records, the values to measure, and the person's zones.

extension WorkoutZoneTimes {
    init(_ record: WorkoutZoneRecord) {
        let source: WorkoutZoneFields.Source =
            switch record.source {
            case .system: .system
            case .user: .user
            case .app: .app
            }
        self.init(
            zones: WorkoutZoneFields(
                type: record.type, unit: record.unit, boundaries: record.boundaries, source: source),
            durations: record.durations, activity: record.activity)
    }

    var record: WorkoutZoneRecord {
        let source: WorkoutZoneRecord.Source =
            switch zones.source {
            case .system: .system
            case .user: .user
            case .app: .app
            }
        return WorkoutZoneRecord(
            type: zones.type, unit: zones.unit, boundaries: zones.boundaries, source: source, durations: durations,
            activity: activity)
    }
}

extension BuilderMembers {
    /// The samples of a zone's type, in the unit of its boundaries.
    func values(in zones: WorkoutZoneFields) -> [WorkoutZoneProgress.Value] {
        guard let code = TypeCatalog.description(for: zones.type)?.code,
            let unit = HKUnit.parsed(zones.unit)
        else { return [] }
        var values: [WorkoutZoneProgress.Value] = []
        for member in members.records where member.type == code {
            var value = member.value
            if member.unit != zones.unit {
                guard let own = HKUnit.parsed(member.unit) else { continue }
                let quantity = HKQuantity(unit: own, doubleValue: value)
                guard quantity.is(compatibleWith: unit) else { continue }
                value = quantity.doubleValue(for: unit)
            }
            values.append(.init(start: member.start, end: member.end, value: value))
        }
        return values
    }
}

extension StoreConnection {
    /// The person's zones by type: those that the person set, else calculated ones of heart rate.
    func personZones() throws -> [String: WorkoutZoneFields] {
        let profile = try engine().profile.read()
        let today = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: clock.now())
        let age = profile.dateOfBirth.map { birth in
            let isBeforeBirthday = (today.month ?? 1, today.day ?? 1) < (birth.month, birth.day)
            return (today.year ?? birth.year) - birth.year - (isBeforeBirthday ? 1 : 0)
        }
        let heartRate = WorkoutZoneFields.heartRate(age: age)
        var zones = [heartRate.type: heartRate]
        for type in WorkoutZoneFields.types {
            guard let boundaries = profile.workoutZones?[type],
                WorkoutZoneFields.boundaryCounts.contains(boundaries.count),
                let unit = TypeCatalog.description(for: type)?.canonicalUnit
            else { continue }
            zones[type] = WorkoutZoneFields(
                type: type, unit: type == heartRate.type ? heartRate.unit : unit, boundaries: boundaries, source: .user)
        }
        return zones
    }

    /// The person's zones of one type; `nil` if it has none.
    func preferredZones(of type: HKQuantityType) -> StoreWork<HKWorkoutZoneConfiguration?> {
        StoreWork(.reading) {
            try self.personZones()[type.identifier].flatMap { HKWorkoutZoneConfiguration($0) }
        }
    }
}
