import Foundation
@testable import HealthKit
import Testing

@Suite struct HKStateOfMindTests {
    private let store = FreshStore.make()

    private func state(
        _ valence: Double, _ kind: HKStateOfMind.Kind = .momentaryEmotion, _ labels: [HKStateOfMind.Label] = [],
        _ associations: [HKStateOfMind.Association] = []
    ) -> HKStateOfMind {
        HKStateOfMind(
            date: FreshStore.epoch, kind: kind, valence: valence, labels: labels, associations: associations)
    }

    private func found(_ predicate: NSPredicate?) async throws -> [Double] {
        try await HKSampleQueryDescriptor(predicates: [.stateOfMind(predicate)], sortDescriptors: [])
            .result(for: store).map(\.valence)
    }

    @Test func properties() {
        let state = state(-0.25, .dailyMood, [.sad, .drained], [.work, .weather])
        #expect(state.kind == .dailyMood)
        #expect(state.valence == -0.25)
        #expect(state.labels == [.sad, .drained])
        #expect(state.associations == [.work, .weather])
        #expect(state.startDate == FreshStore.epoch && state.endDate == FreshStore.epoch)
        #expect(state.metadata == nil)
    }

    @Test(arguments: [
        (-1.0, HKStateOfMind.ValenceClassification.veryUnpleasant), (-0.72, .veryUnpleasant),
        (-0.7, .unpleasant), (-0.4, .slightlyUnpleasant), (-0.1, .neutral), (0, .neutral), (0.1, .neutral),
        (0.2, .slightlyPleasant), (0.5, .pleasant), (0.72, .veryPleasant), (1, .veryPleasant),
    ])
    func classes(_ valence: Double, _ expected: HKStateOfMind.ValenceClassification) {
        #expect(HKStateOfMind.ValenceClassification(valence: valence) == expected)
        #expect(state(valence).valenceClassification == expected)
    }

    @Test(arguments: [-1.000_001, 1.1, .infinity, -.infinity, .nan])
    func refusedValences(_ valence: Double) {
        #expect(HKStateOfMind.ValenceClassification(valence: valence) == nil)
        #expect(throws: InvalidObjectError(reason: "The valence of an HKStateOfMind must be between -1.0 and 1.0")) {
            try HKStateOfMind.validate(valence: valence)
        }
    }

    @Test func aValenceOutOfRangeEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKStateOfMind(date: Date(), kind: .dailyMood, valence: 2, labels: [], associations: [])
        }
        #expect(result.errorText.contains("must be between -1.0 and 1.0"))
    }

    @Test func predicatesSelect() async throws {
        let states = [
            state(-0.5, .dailyMood, [.sad], [.work]), state(0.25, .momentaryEmotion, [.calm], [.family, .work]),
            state(0.75, .dailyMood, [.calm, .happy], []),
        ]
        try await store.save(states)
        #expect(try await found(nil) == [-0.5, 0.25, 0.75])
        let cases: [(NSPredicate, [Double])] = [
            (HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Kind.dailyMood), [-0.5, 0.75]),
            (HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.calm), [0.25, 0.75]),
            (HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Association.work), [-0.5, 0.25]),
            (HKQuery.predicateForStatesOfMind(withValence: 0.25, operatorType: .greaterThanOrEqualTo), [0.25, 0.75]),
            (HKQuery.predicateForStatesOfMind(withValence: 0.25, operatorType: .notEqualTo), [-0.5, 0.75]),
            // The bound is a whole number, the values are not.
            (HKQuery.predicateForStatesOfMind(withValence: 0, operatorType: .greaterThan), [0.25, 0.75]),
        ]
        for (predicate, expected) in cases {
            #expect(try await found(predicate) == expected)
            #expect(
                try await found(NSCompoundPredicate(notPredicateWithSubpredicate: predicate)).count == 3
                    - expected.count)
            #expect(states.filter { predicate.evaluate(with: $0) }.map(\.valence) == expected)
        }
    }
}
