import Foundation
import HealthKit
import Synchronization
import Testing

/// Requests, statuses, and what an application sees under each decision.
@Suite struct AuthorizationTests {
    private typealias Answer = HKHealthStore.Configuration.AuthorizationAnswer

    private let name = FreshStore.name()
    private let steps = FreshStore.steps

    private func store(_ answer: HKHealthStore.Configuration.AuthorizationAnswer) -> HKHealthStore {
        FreshStore.make(named: name, authorization: .handler { _ in answer })
    }

    private func values(_ store: HKHealthStore) async throws -> [Double] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store).map { $0.quantity.doubleValue(for: .count()) }
    }

    /// The table of what reading returns: own samples, and those of another application.
    @Test(arguments: [
        (read: true, share: true, seen: [1, 2]), (read: true, share: false, seen: [1, 2]),
        (read: false, share: true, seen: [1]), (read: false, share: false, seen: []),
    ])
    func readScopes(read: Bool, share: Bool, seen: [Double]) async throws {
        let owner = FreshStore.make(named: name, authorization: .allowAll)
        let other = FreshStore.make(named: name, app: "org.example.other", authorization: .allowAll)
        try await owner.save(FreshStore.steps(1))
        try await other.save(FreshStore.steps(2, at: 60))
        let store = store(Answer(share: share ? [steps] : [], read: read ? [steps] : []))
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        #expect(try await values(store) == seen)
        #expect(store.authorizationStatus(for: steps) == (share ? .sharingAuthorized : .sharingDenied))
    }

    /// Every query leaves out what ends before the limit; only types with a limit have an earliest date.
    @Test func limitedHistory() async throws {
        let other = FreshStore.make(named: name, app: "org.example.other", authorization: .allowAll)
        let samples = [FreshStore.steps(1), FreshStore.steps(2, at: 600), FreshStore.steps(4, at: 1_200)]
        try await other.save(samples)
        let limit = samples[1].endDate
        let store = store(Answer(share: [], read: [steps], earliestSampleDate: limit))
        let types: Set<HKObjectType> = [steps, FreshStore.heartRate]
        try await store.requestAuthorization(toShare: [], read: types)
        #expect(try await values(store) == [2, 4])
        #expect(try await store.earliestAuthorizedSampleDate(for: types) == [steps: limit])
        #expect(try await other.earliestAuthorizedSampleDate(for: types).isEmpty)
        let told = Calls<[HKObjectType: Date]?>()
        store.getEarliestAuthorizedSampleDate(for: types) { dates, _ in told.add(dates) }
        #expect(await told.next() == [steps: limit])

        let predicate = HKSamplePredicate.quantitySample(type: steps)
        let sum = try await HKStatisticsQueryDescriptor(predicate: predicate, options: .cumulativeSum).result(
            for: store)
        #expect(sum?.sumQuantity()?.doubleValue(for: .count()) == 6)
        let days = try await HKStatisticsCollectionQueryDescriptor(
            predicate: predicate, options: .cumulativeSum, anchorDate: .distantPast,
            intervalComponents: DateComponents(day: 1)
        ).result(for: store)
        #expect(days.statistics().reduce(0) { $0 + ($1.sumQuantity()?.doubleValue(for: .count()) ?? 0) } == 6)
        let changes = try await HKAnchoredObjectQueryDescriptor(predicates: [predicate], anchor: nil).result(for: store)
        #expect(changes.addedSamples.count == 2)
        let early = HKSamplePredicate.quantitySample(
            type: steps, predicate: HKQuery.predicateForObject(with: samples[0].uuid))
        #expect(try await HKSourceQueryDescriptor(predicate: early).result(for: store).isEmpty)
        #expect(try await HKSourceQueryDescriptor(predicate: predicate).result(for: store).count == 1)
    }

    @Test func aTypeNeverAskedForFails() async throws {
        let store = store(.none)
        let error = await #expect(throws: HKError.self) { try await values(store) }
        #expect(error?.code == .errorAuthorizationNotDetermined)
        #expect(error?.localizedDescription == "Authorization not determined")
        let saving = await #expect(throws: HKError.self) { try await store.save(FreshStore.steps(1)) }
        #expect(saving?.code == .errorAuthorizationNotDetermined)
        #expect(store.authorizationStatus(for: steps) == .notDetermined)
    }

    @Test func aRefusedTypeFailsTheWholeBatch() async throws {
        let store = store(Answer(share: [FreshStore.heartRate], read: [steps, FreshStore.heartRate]))
        try await store.requestAuthorization(
            toShare: [steps, FreshStore.heartRate], read: [steps, FreshStore.heartRate])
        let error = await #expect(throws: HKError.self) {
            try await store.save([FreshStore.pulse(60), FreshStore.steps(1)])
        }
        #expect(error?.code == .errorAuthorizationDenied)
        #expect(error?.localizedDescription == "Not authorized")
        let pulses = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.heartRate)], sortDescriptors: []
        ).result(for: store)
        #expect(pulses.isEmpty)
    }

    @Test func onlyOpenTypesAreAskedAbout() async throws {
        let asked = Calls<HKHealthStore.Configuration.AuthorizationRequest>()
        let store = FreshStore.make(
            authorization: .handler { request in
                asked.add(request)
                return .all(request)
            })
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        #expect(await asked.next().application.bundleIdentifier == "org.example.app")
        try await store.requestAuthorization(toShare: [steps], read: [steps, FreshStore.heartRate])
        let second = await asked.next()
        #expect(second.share.isEmpty)
        #expect(second.read == [FreshStore.heartRate])
        // All decided: nobody is asked.
        try await store.requestAuthorization(toShare: [steps], read: [FreshStore.heartRate])
        #expect(asked.all.count == 2)
    }

    @Test func theRequestStatusIsOneAnswerForAllTypes() async throws {
        let store = store(Answer(share: [], read: [steps]))
        #expect(
            try await store.statusForAuthorizationRequest(toShare: [], read: [steps]) == .shouldRequest)
        try await store.requestAuthorization(toShare: [], read: [steps])
        #expect(
            try await store.statusForAuthorizationRequest(toShare: [], read: [steps]) == .unnecessary)
        let calls = Calls<(HKAuthorizationRequestStatus, (any Error)?)>()
        store.getRequestStatusForAuthorization(toShare: [steps], read: [steps]) { calls.add(($0, $1)) }
        #expect(await calls.next().0 == .shouldRequest)
        // Asked for reading only: sharing counts as denied.
        #expect(store.authorizationStatus(for: steps) == .sharingDenied)
        let error = await #expect(throws: HKError.self) { try await store.save(FreshStore.steps(1)) }
        #expect(error?.code == .errorAuthorizationDenied)
    }

    @Test func theHandlerFormTellsSuccessWhateverTheAnswer() async {
        let calls = Calls<(Bool, (any Error)?)>()
        store(.none).requestAuthorization(toShare: nil, read: [steps]) { calls.add(($0, $1)) }
        let (success, error) = await calls.next()
        #expect(success && error == nil)
    }

    @Test func correlationsAreAuthorizedThroughTheirMembers() async throws {
        let pressure = HKCorrelationType(.bloodPressure)
        let members: Set<HKSampleType> = [
            HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
        ]
        let store = store(Answer(share: members, read: members))
        try await store.requestAuthorization(toShare: members, read: members)
        try await store.save(FreshStore.pressure(120, 80))
        #expect(store.authorizationStatus(for: pressure) == .notDetermined)
        let read = try await HKSampleQueryDescriptor(
            predicates: [.correlation(type: pressure)], sortDescriptors: []
        ).result(for: store)
        #expect(read.first?.objects.count == 2)
    }

    @Test func perObjectTypesCannotBeReadInBulk() async {
        let error = await #expect(throws: HKError.self) {
            try await FreshStore.make().requestAuthorization(
                toShare: [], read: [HKObjectType.visionPrescriptionType()])
        }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test func aStoreInMemoryAllowsAll() async throws {
        let store = FreshStore.make()
        #expect(store.authorizationStatus(for: steps) == .sharingAuthorized)
        #expect(
            try await store.statusForAuthorizationRequest(toShare: [steps], read: [steps])
                == .unnecessary)
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        try await store.handleAuthorizationForExtension()
    }

    // MARK: Requests that end the process

    @Test func anEmptyRequestEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await HKHealthStore(configuration: .inMemory).requestAuthorization(toShare: [], read: [])
        }
        #expect(result.errorText.contains("Must request authorization for at least one data type"))
    }

    @Test func sharingACorrelationEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            HKHealthStore(configuration: .inMemory).requestAuthorization(
                toShare: [HKCorrelationType(.bloodPressure)], read: nil
            ) { _, _ in }
        }
        #expect(
            result.errorText.contains(
                "Authorization to share the following types is disallowed: HKCorrelationTypeIdentifierBloodPressure"
            ))
    }

    @Test func readingACorrelationEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            HKHealthStore(configuration: .inMemory).getRequestStatusForAuthorization(
                toShare: [], read: [HKCorrelationType(.food)]
            ) { _, _ in }
        }
        #expect(
            result.errorText.contains(
                "Authorization to read the following types is disallowed: HKCorrelationTypeIdentifierFood"))
    }

    @Test func sharingWhatOnlyTheSystemWritesEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            HKHealthStore(configuration: .inMemory).requestAuthorization(
                toShare: [HKQuantityType(.appleExerciseTime)], read: nil
            ) { _, _ in }
        }
        #expect(
            result.errorText.contains(
                "Authorization to share the following types is disallowed: HKQuantityTypeIdentifierAppleExerciseTime"
            ))
    }
}
