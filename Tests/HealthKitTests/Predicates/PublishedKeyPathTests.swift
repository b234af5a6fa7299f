import Foundation
import HealthModel
import Testing

@testable import HealthKit

/// The key paths that the original publishes for hand-written predicates, and the types that they fit.
@Suite struct PublishedKeyPathTests {
    private let date = FreshStore.epoch
    private let count = HKQuantity(unit: .count(), doubleValue: 400)
    private let meter = HKQuantity(unit: .meter(), doubleValue: 1)
    private let rate = HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: 60)
    private let workoutType = HKObjectType.workoutType()

    private func filter(_ predicate: NSPredicate, _ type: HKObjectType) throws -> SampleFilter {
        try PredicateTranslation.translate(predicate, for: type).filter
    }

    @Test func samplesAndObjects() throws {
        let workout = HKWorkout(activityType: .running, start: date, end: date + 60)
        let rows: [(String, Any, HKObjectType)] = [
            (HKPredicateKeyPathUUID, UUID(), FreshStore.steps),
            (HKPredicateKeyPathSource, HKSource.default(), FreshStore.steps),
            (HKPredicateKeyPathSourceRevision, HKSourceRevision(source: .default(), version: nil), FreshStore.steps),
            (HKPredicateKeyPathDevice, HKDevice.local(), FreshStore.steps),
            (HKPredicateKeyPathMetadata + ".k", "v", FreshStore.steps),
            (HKPredicateKeyPathCorrelation, NSNull(), FreshStore.steps),
            (HKPredicateKeyPathWorkout, workout, FreshStore.steps),
            (
                HKPredicateKeyPathWorkoutEffortRelationship, workout,
                HKQuantityType(.workoutEffortScore)
            ),
            (HKPredicateKeyPathStartDate, date, FreshStore.sleep), (HKPredicateKeyPathEndDate, date, FreshStore.sleep),
            (HKPredicateKeyPathCategoryValue, 1, FreshStore.sleep),
            (HKPredicateKeyPathQuantity, count, FreshStore.steps),
            (HKPredicateKeyPathCount, 1, FreshStore.steps), (HKPredicateKeyPathSum, count, FreshStore.steps),
            (HKPredicateKeyPathMin, rate, FreshStore.heartRate), (HKPredicateKeyPathMax, rate, FreshStore.heartRate),
            (HKPredicateKeyPathAverage, rate, FreshStore.heartRate),
            (HKPredicateKeyPathMostRecent, rate, FreshStore.heartRate),
            (HKPredicateKeyPathMostRecentStartDate, date, FreshStore.heartRate),
            (HKPredicateKeyPathMostRecentEndDate, date, FreshStore.heartRate),
            (HKPredicateKeyPathMostRecentDuration, 1, FreshStore.heartRate),
            (HKPredicateKeyPathAverageHeartRate, rate, HKObjectType.electrocardiogramType()),
            (HKPredicateKeyPathECGClassification, 1, HKObjectType.electrocardiogramType()),
            (HKPredicateKeyPathECGSymptomsStatus, 1, HKObjectType.electrocardiogramType()),
            (
                HKPredicateKeyPathDateComponents, DateComponents(year: 2024, month: 5, day: 17),
                HKObjectType.activitySummaryType()
            ),
            (HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier, "1", HKClinicalType(.allergyRecord)),
            (HKPredicateKeyPathClinicalRecordFHIRResourceType, "Patient", HKClinicalType(.allergyRecord)),
            (HKPredicateKeyPathCDATitle, "t", HKDocumentType(.CDA)),
            (HKPredicateKeyPathCDAPatientName, "t", HKDocumentType(.CDA)),
            (HKPredicateKeyPathCDAAuthorName, "t", HKDocumentType(.CDA)),
            (HKPredicateKeyPathCDACustodianName, "t", HKDocumentType(.CDA)),
            (HKPredicateKeyPathStatus, 1, HKObjectType.medicationDoseEventType()),
            (HKPredicateKeyPathLogOrigin, 1, HKObjectType.medicationDoseEventType()),
            (HKPredicateKeyPathScheduledDate, date, HKObjectType.medicationDoseEventType()),
            (
                HKPredicateKeyPathMedicationConceptIdentifier,
                HKHealthConceptIdentifier(domain: .medication, token: "a"), HKObjectType.medicationDoseEventType()
            ),
        ]
        for (path, value, type) in rows {
            #expect(throws: Never.self, "\(path)") {
                _ = try filter(NSPredicate(format: "%K == %@", path, value), type)
            }
        }
    }

    @Test func workouts() throws {
        let rows: [(String, Any)] = [
            (HKPredicateKeyPathWorkoutType, 37), (HKPredicateKeyPathWorkoutDuration, 60),
            (HKPredicateKeyPathWorkoutTotalDistance, meter), (HKPredicateKeyPathWorkoutTotalEnergyBurned, meter),
            (HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount, count),
            (HKPredicateKeyPathWorkoutTotalFlightsClimbed, count),
            (HKPredicateKeyPathWorkoutSumQuantity, count), (HKPredicateKeyPathWorkoutMinimumQuantity, rate),
            (HKPredicateKeyPathWorkoutMaximumQuantity, rate), (HKPredicateKeyPathWorkoutAverageQuantity, rate),
            (HKPredicateKeyPathWorkoutActivity, NSNull()), (HKPredicateKeyPathWorkoutActivityType, 37),
            (HKPredicateKeyPathWorkoutActivityDuration, 60), (HKPredicateKeyPathWorkoutActivityStartDate, date),
            (HKPredicateKeyPathWorkoutActivityEndDate, date), (HKPredicateKeyPathWorkoutActivitySumQuantity, count),
            (HKPredicateKeyPathWorkoutActivityMinimumQuantity, rate),
            (HKPredicateKeyPathWorkoutActivityMaximumQuantity, rate),
            (HKPredicateKeyPathWorkoutActivityAverageQuantity, rate),
        ]
        for (path, value) in rows {
            let predicate = NSPredicate(format: "%K == %@", path, value)
            #expect(throws: Never.self, "\(path)") { _ = try filter(predicate, workoutType) }
            #expect(throws: PredicateTranslationError.self, "\(path)") { _ = try filter(predicate, FreshStore.steps) }
        }
    }

    @Test func theSameFiltersAsTheFactories() throws {
        let pairs = [
            (
                NSPredicate(
                    format: "%K.%K > %@", HKPredicateKeyPathWorkoutSumQuantity, FreshStore.steps.identifier, count),
                HKQuery.predicateForWorkouts(
                    operatorType: .greaterThan, quantityType: FreshStore.steps, sumQuantity: count)
            ),
            (
                NSPredicate(format: "%K > %d", HKPredicateKeyPathWorkoutActivityDuration, 5),
                HKQuery.predicateForWorkouts(
                    activityPredicate: HKQuery.predicateForWorkoutActivities(operatorType: .greaterThan, duration: 5))
            ),
            (
                NSPredicate(
                    format: "%K.%K < %@", HKPredicateKeyPathWorkoutActivityMaximumQuantity,
                    FreshStore.heartRate.identifier, rate),
                HKQuery.predicateForWorkouts(
                    activityPredicate: HKQuery.predicateForWorkoutActivities(
                        operatorType: .lessThan, quantityType: FreshStore.heartRate, maximumQuantity: rate))
            ),
        ]
        for (written, made) in pairs {
            #expect(try filter(written, workoutType) == filter(made, workoutType))
        }
        // A statistic that the type doesn't have, and a unit of another dimension.
        for format in [
            "workoutMinimumQuantity.\(FreshStore.steps.identifier) > %@", "workoutSumQuantity.nonsense > %@",
        ] {
            #expect(throws: PredicateTranslationError.self) {
                _ = try filter(NSPredicate(format: format, count), workoutType)
            }
        }
        #expect(throws: PredicateTranslationError.self) {
            let format = "workoutSumQuantity.\(FreshStore.steps.identifier) > %@"
            _ = try filter(NSPredicate(format: format, meter), workoutType)
        }
    }

    @Test func storesAndObjectsAgree() async throws {
        let store = FreshStore.make()
        let builder = HKWorkoutBuilder(healthStore: store, configuration: Misuse.running, device: nil)
        try await builder.beginCollection(at: date)
        try await builder.addSamples([FreshStore.steps(500), FreshStore.pulse(90, at: 30)])
        try await builder.endCollection(at: date + 600)
        let workout = try #require(try await builder.finishWorkout())
        let predicates: [(NSPredicate, Bool)] = [
            (NSPredicate(format: "workoutSumQuantity.\(FreshStore.steps.identifier) > %@", count), true),
            (NSPredicate(format: "workoutSumQuantity > %@", count), true),
            (NSPredicate(format: "workoutMaximumQuantity < %@", rate), false),
            (NSPredicate(format: "workoutActivity.activityType == 37"), true),
            (NSPredicate(format: "workoutActivity.activityType == 13"), false),
            (NSPredicate(format: "workoutActivity.duration >= 600"), true),
            (NSPredicate(format: "workoutActivity.startDate > %@", date), false),
            (NSPredicate(format: "workoutActivity.endDate == %@", date + 600), true),
            (NSPredicate(format: "workoutActivity != nil"), true),
        ]
        for (predicate, expected) in predicates {
            let found = try await HKSampleQueryDescriptor(predicates: [.workout(predicate)], sortDescriptors: [])
                .result(for: store)
            #expect(found == (expected ? [workout] : []), "\(predicate)")
            #expect(predicate.evaluate(with: workout) == expected, "\(predicate)")
        }
        let recent = NSPredicate(format: "%K >= %@", HKPredicateKeyPathMostRecentStartDate, date + 30)
        let pulses = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.heartRate, predicate: recent)], sortDescriptors: []
        ).result(for: store)
        #expect(pulses.count == 1)
    }

    @Test func predicatesOfWorkoutsAndSummariesFitNoOtherType() {
        let day = DateComponents(calendar: FreshStore.calendar(), year: 2024, month: 5, day: 17)
        let rows: [(NSPredicate, String)] = [
            (HKQuery.predicateForWorkouts(with: .running), "workoutActivityType"),
            (HKQuery.predicateForWorkouts(with: .greaterThan, duration: 1), "duration"),
            (HKQuery.predicateForWorkouts(with: .greaterThan, totalDistance: meter), "totalDistance"),
            (
                HKQuery.predicateForWorkouts(
                    operatorType: .lessThan, quantityType: FreshStore.steps, sumQuantity: count),
                "workoutSumQuantity"
            ),
            (
                HKQuery.predicateForWorkouts(
                    activityPredicate: HKQuery.predicateForWorkoutActivities(workoutActivityType: .running)),
                "workoutActivity"
            ),
            (HKQuery.predicateForActivitySummary(with: day), "dateComponents"),
        ]
        for (predicate, path) in rows {
            let refusal = PredicateTranslationError(
                reason: "Unexpected dataType of class HKQuantityType for \(path) predicate")
            let all = [
                predicate, NSCompoundPredicate(notPredicateWithSubpredicate: predicate),
                NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(value: true), predicate]),
            ]
            for one in all {
                #expect(throws: refusal) { _ = try filter(one, FreshStore.steps) }
            }
        }
    }
}
