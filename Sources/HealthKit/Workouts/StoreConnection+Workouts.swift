import Foundation
import HealthEngine
import HealthModel

extension StoreConnection {
    /// Saves a series and adds it to a stored workout.
    func addPart(_ part: HKSample, to workout: HKWorkout) throws {
        try engine().addParts(try objects([part]), toObject: workout.uuid, as: caller)
    }

    /// The records of samples that are added to a workout.
    func memberRecords(_ samples: [HKSample]) throws -> [SampleRecord] {
        try validateDurations(of: samples)
        return try samples.map { sample in
            guard let record = RecordEncoder.sampleRecord(sample, includingRevision: false) else {
                throw HKError.make(
                    .errorInvalidArgument, "Only quantity and category samples can be added to a workout.")
            }
            return record
        }
    }

    /// The records of objects that are saved with a workout.
    func objects(_ samples: [HKSample]) throws -> [ObjectRecord] {
        try items(samples).map { item in
            guard case .object(let record) = item else {
                throw HKError.make(.errorInvalidArgument, "Only series can be saved with a workout.")
            }
            return record
        }
    }

    // MARK: Effort

    /// Relates an effort sample to a workout or to one of its activities.
    func relating(
        _ sample: HKSample, to workout: HKWorkout, _ activity: HKWorkoutActivity?
    ) -> StoreWork<Void> {
        let caller = caller
        return StoreWork(
            .writing,
            engine: { engine in
                guard QueryReader.effortTypes.contains(where: { $0 == sample.sampleType }),
                    case .sample(let record) = RecordEncoder.item(sample, includingRevision: false)
                else {
                    throw HKError.make(
                        .errorInvalidArgument, "Only workout effort samples can be related to a workout.")
                }
                if let activity, !workout.workoutActivities.contains(activity) {
                    throw HKError.make(.errorInvalidArgument, "The activity does not belong to the workout.")
                }
                try engine.workoutEffort.relate(record, toWorkout: workout.uuid, activity: activity?.uuid, as: caller)
            })
    }

    /// Removes the relationship of an effort sample to a workout or to one of its activities.
    func unrelating(
        _ sample: HKSample, from workout: HKWorkout, _ activity: HKWorkoutActivity?
    ) -> StoreWork<Void> {
        let caller = caller
        return StoreWork(
            .writing,
            engine: { engine in
                try engine.workoutEffort.unrelate(
                    sample.uuid, type: sample.sampleType.code, fromWorkout: workout.uuid,
                    activity: activity?.uuid, as: caller)
            })
    }
}

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
