import Foundation
@testable import HealthKit
import Testing

@Suite struct WorkoutEffortTests {
    private let store = FreshStore.make()
    private let start = FreshStore.epoch
    private let score = HKQuantityType(.workoutEffortScore)

    private func workout(at offset: TimeInterval = 0) async throws -> HKWorkout {
        let workout = HKWorkout(activityType: .running, start: start + offset, end: start + offset + 600)
        try await store.save(workout)
        return workout
    }

    private func effort(
        _ value: Double, _ identifier: HKQuantityTypeIdentifier = .workoutEffortScore, at offset: TimeInterval = 0
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(identifier), quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: value),
            start: start + offset, end: start + offset + 600)
    }

    private func relationships(
        _ predicate: NSPredicate? = nil, after anchor: HKQueryAnchor? = nil,
        _ option: HKWorkoutEffortRelationshipQueryOptions = .default
    ) async throws -> HKWorkoutEffortRelationshipQueryDescriptor.Result {
        try await HKWorkoutEffortRelationshipQueryDescriptor(predicate: predicate, anchor: anchor, option: option)
            .result(for: store)
    }

    private func samples(_ predicate: NSPredicate) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: score, predicate: predicate)], sortDescriptors: []
        ).result(for: store)
    }

    @Test func aRatingIsSavedAndFound() async throws {
        let (workout, other) = (try await workout(), try await workout(at: 1_000))
        let (rating, saved) = (effort(7), effort(3))
        try await store.save(saved)
        #expect(try await store.relateWorkoutEffortSample(rating, with: workout, activity: nil))
        #expect(try await store.relateWorkoutEffortSample(saved, with: workout, activity: nil))
        // Once more changes nothing.
        let before = try await relationships().newAnchor
        #expect(try await store.relateWorkoutEffortSample(rating, with: workout, activity: nil))
        #expect(try await relationships(after: before).relationships.isEmpty)
        let found = try await samples(HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil))
        #expect(Set(found) == [rating, saved])
        #expect(
            try await samples(HKQuery.predicateForWorkoutEffortSamplesRelated(workout: other, activity: nil)).isEmpty)
        let relationship = try #require(try await relationships().relationships.first)
        #expect(relationship.workout == workout)
        #expect(relationship.activity == nil)
        #expect(relationship.samples == [rating, saved])
        // Related is not added: the workout's own samples and figures do not have it.
        #expect(try await samples(HKQuery.predicateForObjects(from: workout)).isEmpty)
    }

    @Test func invalidRelationshipsFail() async throws {
        let workout = try await workout()
        let unsaved = HKWorkout(activityType: .running, start: start, end: start + 600)
        let foreign = unsaved.workoutActivities[0]
        func refusal(_ body: () async throws -> Bool) async -> HKError.Code? {
            await #expect(throws: HKError.self) { _ = try await body() }?.code
        }
        #expect(
            await refusal { try await store.relateWorkoutEffortSample(effort(1), with: unsaved, activity: nil) }
                == .errorInvalidArgument)
        #expect(
            await refusal { try await store.relateWorkoutEffortSample(effort(1), with: workout, activity: foreign) }
                == .errorInvalidArgument)
        #expect(
            await refusal {
                try await store.relateWorkoutEffortSample(FreshStore.steps(1), with: workout, activity: nil)
            } == .errorInvalidArgument)
        #expect(
            await refusal { try await store.unrelateWorkoutEffortSample(effort(1), from: workout, activity: nil) }
                == .errorInvalidArgument)
        #expect(try await relationships().relationships.isEmpty)
    }

    @Test func handlersReceiveTheSame() async throws {
        let workout = try await workout()
        let rating = effort(5)
        let calls = Calls<(Bool, (any Error)?)>()
        store.relateWorkoutEffortSample(rating, with: workout, activity: nil) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        store.unrelateWorkoutEffortSample(rating, from: workout, activity: nil) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        store.unrelateWorkoutEffortSample(rating, from: workout, activity: nil) { calls.add(($0, $1)) }
        #expect(await calls.next().1 is HKError)
    }

    @Test func anActivityIsRatedByItself() async throws {
        let workout = try await workout()
        let activity = try #require(workout.workoutActivities.first)
        let (whole, part) = (effort(5), effort(9))
        try await store.relateWorkoutEffortSample(whole, with: workout, activity: nil)
        try await store.relateWorkoutEffortSample(part, with: workout, activity: activity)
        let found = try await samples(
            HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: activity))
        #expect(found == [part])
        let relationships = try await relationships().relationships
        #expect(relationships.map(\.activity) == [nil, activity])
        #expect(relationships.map(\.samples) == [[whole], [part]])
    }

    @Test func mostRelevantIsTheLastRating() async throws {
        let workout = try await workout()
        let newest = effort(8, at: 50)
        for sample in [effort(2), newest, effort(4, .estimatedWorkoutEffortScore, at: 100)] {
            try await store.relateWorkoutEffortSample(sample, with: workout, activity: nil)
        }
        #expect(try await relationships(nil, .mostRelevant).relationships.first?.samples == [newest])
        #expect(try await relationships().relationships.first?.samples?.count == 3)
        let other = try await self.workout(at: 5_000)
        let estimate = effort(4, .estimatedWorkoutEffortScore, at: 5_000)
        try await store.relateWorkoutEffortSample(estimate, with: other, activity: nil)
        let predicate = HKQuery.predicateForObject(with: other.uuid)
        #expect(try await relationships(predicate, .mostRelevant).relationships.map(\.samples) == [[estimate]])
        let related = HKQuery.predicateForWorkoutEffortSamplesRelated(workout: other, activity: nil)
        #expect(try await relationships(related).relationships.map(\.workout) == [other])
    }

    private func relationships(
        _ predicate: NSPredicate?, _ option: HKWorkoutEffortRelationshipQueryOptions
    ) async throws -> HKWorkoutEffortRelationshipQueryDescriptor.Result {
        try await relationships(predicate, after: nil, option)
    }

    @Test func anchorLeadsToChanges() async throws {
        let (first, second) = (try await workout(), try await workout(at: 1_000))
        let rating = effort(5)
        try await store.relateWorkoutEffortSample(rating, with: first, activity: nil)
        let anchor = try await relationships().newAnchor
        #expect(try await relationships(after: anchor).relationships.isEmpty)
        try await store.relateWorkoutEffortSample(effort(6, at: 1_000), with: second, activity: nil)
        try await store.unrelateWorkoutEffortSample(rating, from: first, activity: nil)
        let changed = try await relationships(after: anchor).relationships
        #expect(changed.map(\.workout) == [second, first])
        #expect(changed[1].samples == nil)
        #expect(
            try await samples(HKQuery.predicateForWorkoutEffortSamplesRelated(workout: first, activity: nil)).isEmpty)
        // The sample itself stays.
        #expect(try await samples(HKQuery.predicateForObject(with: rating.uuid)) == [rating])
    }

    @Test func theQueryReportsUpdates() async throws {
        let workout = try await workout()
        let calls = Calls<Int>()
        let query = HKWorkoutEffortRelationshipQuery(predicate: nil, anchor: nil, options: .default) {
            calls.add($3 == nil ? $1?.first?.samples?.count ?? 0 : -1)
        }
        store.execute(query)
        #expect(await calls.next() == 0)
        try await store.relateWorkoutEffortSample(effort(5), with: workout, activity: nil)
        #expect(await calls.next() == 1)
        try await store.save(FreshStore.steps(1))
        try await store.relateWorkoutEffortSample(effort(6), with: workout, activity: nil)
        #expect(await calls.next() == 2)
        store.stop(query)
    }

    @Test func theSequenceReportsUpdates() async throws {
        let workout = try await workout()
        var results = HKWorkoutEffortRelationshipQueryDescriptor(predicate: nil, anchor: nil, option: .default)
            .results(for: store).makeAsyncIterator()
        #expect(try await results.next()?.relationships.isEmpty == true)
        try await store.relateWorkoutEffortSample(effort(5), with: workout, activity: nil)
        #expect(try await results.next()?.relationships.first?.samples?.count == 1)
    }

    @Test func aDeletedWorkoutIsNoLongerRated() async throws {
        let workout = try await workout()
        try await store.relateWorkoutEffortSample(effort(5), with: workout, activity: nil)
        try await store.delete(workout)
        #expect(try await relationships().relationships.isEmpty)
    }

    @Test func anArchiveKeepsTheRelationship() async throws {
        let workout = try await workout()
        try await store.relateWorkoutEffortSample(effort(5), with: workout, activity: workout.workoutActivities[0])
        let relationship = try #require(try await relationships().relationships.first)
        let data = try NSKeyedArchiver.archivedData(withRootObject: relationship, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: HKWorkoutEffortRelationship.self, from: data))
        #expect(back == relationship && back.hash == relationship.hash)
        #expect(back.samples == relationship.samples && back.activity == relationship.activity)
        #expect(relationship.copy() as? HKWorkoutEffortRelationship === relationship)
    }
}
