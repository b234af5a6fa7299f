import Foundation
import HealthEngine
import HealthModel

extension StoreConnection {
    /// The person's zones by type: those that the person set, else calculated ones of heart rate.
    func personZones() throws -> [String: WorkoutZoneRecord] {
        let profile = try engine().profile.read()
        let today = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: clock.now())
        let age = profile.dateOfBirth.map { birth in
            let isBeforeBirthday = (today.month ?? 1, today.day ?? 1) < (birth.month, birth.day)
            return (today.year ?? birth.year) - birth.year - (isBeforeBirthday ? 1 : 0)
        }
        let heartRate = WorkoutZoneRecord.heartRate(age: age)
        var zones = [heartRate.type: heartRate]
        for type in WorkoutZoneRecord.types {
            guard let boundaries = profile.workoutZones?[type],
                WorkoutZoneRecord.boundaryCounts.contains(boundaries.count),
                let unit = TypeCatalog.description(for: type)?.canonicalUnit
            else { continue }
            zones[type] = WorkoutZoneRecord(
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
