import Foundation
import HealthKit
import HealthTesting
import Synchronization
import Testing

/// Calls of HealthKit that fail as a test wants.
@Suite("Faults of HealthKit’s calls")
struct FaultTests {
    private let health = TestHealthStore()
    private let steps = HKQuantityType(.stepCount)

    private func sample(_ count: Double = 100) -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: TestClock.start,
            end: TestClock.start + 60)
    }

    /// The code of the error of a call; `nil` if it succeeds.
    private func code(_ body: () async throws -> Void) async -> HKError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? HKError)?.code
        }
    }

    private func read() async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(predicates: [.quantitySample(type: steps)], sortDescriptors: []).result(
            for: health.store)
    }

    @Test(
        "Every kind of call fails once, with any code, and changes nothing",
        arguments: [
            Fault.Call.query, .save, .delete, .authorization,
        ])
    func once(call: Fault.Call) async throws {
        let kept = sample()
        try await health.store.save(kept)
        let calls: [Fault.Call: () async throws -> Void] = [
            .query: { _ = try await read() },
            .save: { try await health.store.save(sample()) },
            .delete: { try await health.store.delete(kept) },
            .authorization: { try await health.store.requestAuthorization(toShare: [steps], read: [steps]) },
        ]
        for wanted in [HKError.Code.errorDatabaseInaccessible, .errorRequiredAuthorizationDenied] {
            health.inject(Fault(in: call, wanted))
            for (other, body) in calls where other != call && other != .delete { #expect(await code(body) == nil) }
            health.inject(Fault(in: call, wanted))
            #expect(await code(try #require(calls[call])) == wanted)
            #expect(health.calls(of: call) == 1)
        }
        health.inject(nil)
        #expect(try await read().contains { $0.uuid == kept.uuid })
        #expect(await code(try #require(calls[call])) == nil)
    }

    @Test("The second and third of four saves fail")
    func times() async throws {
        health.inject(Fault(in: .save, .errorInvalidArgument, after: 1, times: 2))
        var codes: [HKError.Code?] = []
        for _ in 0..<4 { codes.append(await code { try await health.store.save(sample()) }) }
        #expect(codes == [nil, .errorInvalidArgument, .errorInvalidArgument, nil])
        #expect(try await read().count == 2)
        health.inject(Fault(in: .save, .errorInvalidArgument, times: .max))
        for _ in 0..<5 { #expect(await code { try await health.store.save(sample()) } == .errorInvalidArgument) }
    }

    @Test("A call with a delay fails when the clock gets there")
    func delay() async throws {
        health.inject(Fault(in: .save, .errorDatabaseInaccessible, delay: 30))
        let (results, answers) = AsyncStream.makeStream(of: HKError.Code?.self)
        health.store.save(sample()) { _, error in answers.yield((error as? HKError)?.code) }
        #expect(health.clock.waits == [30])
        health.clock.advance(by: 29)
        #expect(health.clock.waits == [1])
        health.clock.advance(by: 1)
        for await result in results {
            #expect(result == .errorDatabaseInaccessible)
            break
        }
        #expect(try await read().isEmpty)
    }

    @Test("Queries with handlers fail, too, those that run for long included", arguments: [0.0, 5])
    func handlers(delay: TimeInterval) async throws {
        let (results, answers) = AsyncStream.makeStream(of: HKError.Code?.self)
        var iterator = results.makeAsyncIterator()
        health.inject(Fault(in: .query, .errorUserCanceled, times: 3, delay: delay))
        let type = steps
        let queries: [HKQuery] = [
            HKSampleQuery(sampleType: type, predicate: nil, limit: 1, sortDescriptors: nil) { _, _, error in
                answers.yield((error as? HKError)?.code)
            },
            HKStatisticsQuery(quantityType: type, quantitySamplePredicate: nil, options: .cumulativeSum) {
                _, _, error in
                answers.yield((error as? HKError)?.code)
            },
            HKAnchoredObjectQuery(type: type, predicate: nil, anchor: nil, limit: 0) { _, _, _, _, error in
                answers.yield((error as? HKError)?.code)
            },
        ]
        for query in queries {
            health.store.execute(query)
            if delay > 0 { health.clock.advance(by: delay) }
            #expect(await iterator.next() == .some(.errorUserCanceled))
        }
        #expect(health.calls(of: .query) == 3)
    }
}
