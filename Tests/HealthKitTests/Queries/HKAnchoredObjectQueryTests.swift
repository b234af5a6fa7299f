import Foundation
import HealthKit
import Testing

@Suite struct HKAnchoredObjectQueryTests {
    private struct Page: Sendable {
        var values: [Double]?
        var deleted: [UUID]?
        var anchor: HKQueryAnchor?
        var error: HKError?
    }

    private let store = FreshStore.make()

    private static func page(
        _ samples: [HKSample]?, _ deleted: [HKDeletedObject]?, _ anchor: HKQueryAnchor?, _ error: (any Error)?
    ) -> Page {
        Page(
            values: samples?.compactMap { ($0 as? HKQuantitySample)?.quantity.doubleValue(for: .count()) },
            deleted: deleted?.map(\.uuid), anchor: anchor, error: error as? HKError)
    }

    private func read(
        after anchor: HKQueryAnchor?, limit: Int = HKObjectQueryNoLimit, _ predicate: NSPredicate? = nil
    ) async -> Page {
        let calls = Calls<Page>()
        store.execute(
            HKAnchoredObjectQuery(
                type: FreshStore.steps, predicate: predicate, anchor: anchor, limit: limit
            ) { calls.add(Self.page($1, $2, $3, $4)) })
        return await calls.next()
    }

    @Test func fromTheBeginning() async throws {
        try await store.save([FreshStore.steps(2, at: 60), FreshStore.steps(1)])
        let first = await read(after: nil)
        // The order of insertion.
        #expect(first.values == [2, 1])
        #expect(first.deleted == [])
        let nothing = await read(after: first.anchor)
        #expect(nothing.values == [])
        #expect(nothing.anchor == first.anchor)
        try await store.save(FreshStore.steps(3, at: 120))
        let second = await read(after: first.anchor)
        #expect(second.values == [3])
        #expect(second.anchor != first.anchor)
    }

    @Test func deletionsAreReported() async throws {
        let sample = FreshStore.steps(1)
        try await store.save(sample)
        let first = await read(after: nil)
        try await store.delete(sample)
        let second = await read(after: first.anchor)
        #expect(second.values == [])
        #expect(second.deleted == [sample.uuid])
        // A reader that begins now receives the deletion of a sample it never saw.
        #expect(await read(after: nil).deleted == [sample.uuid])
    }

    @Test func aReplacedVersionIsOneDeletionAndOneSample() async throws {
        let old = FreshStore.steps(
            1, metadata: [HKMetadataKeySyncIdentifier: "day", HKMetadataKeySyncVersion: 1])
        try await store.save(old)
        let first = await read(after: nil)
        let calls = Calls<[HKDeletedObject]?>()
        try await store.save(
            FreshStore.steps(
                2, metadata: [HKMetadataKeySyncIdentifier: "day", HKMetadataKeySyncVersion: 2]))
        store.execute(
            HKAnchoredObjectQuery(type: FreshStore.steps, predicate: nil, anchor: first.anchor, limit: 0) {
                _, samples, deleted, _, _ in
                #expect(samples?.count == 1)
                calls.add(deleted)
            })
        let gone = try #require(await calls.next())
        #expect(gone.map(\.uuid) == [old.uuid])
        let left = try #require(gone.first?.metadata)
        #expect(Set(left.keys) == [HKMetadataKeySyncIdentifier, HKMetadataKeySyncVersion])
    }

    @Test func pagesOfALimitBringEverythingOnce() async throws {
        try await store.save((0..<7).map { FreshStore.steps(Double($0), at: Double($0) * 60) })
        var anchor: HKQueryAnchor?
        var values: [Double] = []
        var pages = 0
        while pages < 20 {
            let page = await read(after: anchor, limit: 3)
            if page.anchor == anchor { break }
            #expect((page.values?.count ?? 0) <= 3)
            values += page.values ?? []
            anchor = page.anchor
            pages += 1
        }
        #expect(values == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test func thePredicateChoosesSamples() async throws {
        try await store.save((0..<6).map { FreshStore.steps(Double($0), at: Double($0) * 60) })
        let late = HKQuery.predicateForSamples(
            withStart: FreshStore.epoch + 180, end: nil, options: .strictStartDate)
        #expect(await read(after: nil, late).values == [3, 4, 5])
        let block = NSPredicate { object, _ in
            ((object as? HKQuantitySample)?.quantity.doubleValue(for: .count()) ?? 0) < 2
        }
        #expect(await read(after: nil, block).values == [0, 1])
    }

    /// Dates, sources and UUIDs of what was deleted are known; its value and metadata aren't, so that such a predicate
    /// hides no deletion.
    @Test func thePredicateChoosesDeletionsToo() async throws {
        let samples = (0..<4).map { FreshStore.steps(Double($0), at: Double($0) * 60, lasting: 30) }
        try await store.save(samples)
        let anchor = await read(after: nil).anchor
        try await store.delete([samples[0], samples[2]])
        let uuids = [samples[0].uuid, samples[2].uuid]
        func deleted(_ predicate: NSPredicate?, limit: Int = HKObjectQueryNoLimit) async -> [UUID]? {
            await read(after: anchor, limit: limit, predicate).deleted
        }
        let early = HKQuery.predicateForSamples(withStart: nil, end: FreshStore.epoch + 60)
        let late = HKQuery.predicateForSamples(withStart: FreshStore.epoch + 100, end: nil)
        let own = HKQuery.predicateForObjects(from: .default())
        let foreign = NSCompoundPredicate(notPredicateWithSubpredicate: own)
        for limit in [HKObjectQueryNoLimit, 1, 2] {
            #expect(await deleted(early, limit: limit) == [uuids[0]])
            #expect(await deleted(late, limit: limit) == [uuids[1]])
        }
        #expect(await deleted(NSCompoundPredicate(andPredicateWithSubpredicates: [early, late])) == [])
        #expect(await deleted(NSCompoundPredicate(orPredicateWithSubpredicates: [early, late])) == uuids)
        #expect(await deleted(NSPredicate(format: "startDate > %@", FreshStore.epoch + 100)) == [uuids[1]])
        #expect(await deleted(HKQuery.predicateForObject(with: uuids[0])) == [uuids[0]])
        #expect(await deleted(own) == uuids)
        #expect(await deleted(foreign) == [])
        let many = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 1))
        #expect(await deleted(many) == uuids)
        #expect(await deleted(NSCompoundPredicate(andPredicateWithSubpredicates: [many, late])) == [uuids[1]])
        #expect(await deleted(nil) == uuids)
    }

    /// A deletion outside its predicate is not reported to a query that keeps running.
    @Test func updatesLeaveOutOtherDeletions() async throws {
        let (early, late) = (FreshStore.steps(1), FreshStore.steps(2, at: 600))
        try await store.save([early, late])
        let calls = Calls<Page>()
        let query = HKAnchoredObjectQuery(
            type: FreshStore.steps,
            predicate: HKQuery.predicateForSamples(withStart: FreshStore.epoch + 300, end: nil), anchor: nil,
            limit: HKObjectQueryNoLimit
        ) { calls.add(Self.page($1, $2, $3, $4)) }
        query.updateHandler = { calls.add(Self.page($1, $2, $3, $4)) }
        store.execute(query)
        #expect(await calls.next().values == [2])
        try await store.delete(early)
        try await store.delete(late)
        #expect(await calls.next().deleted == [late.uuid])
        store.stop(query)
    }

    @Test func severalTypesShareOneAnchor() async throws {
        try await store.save([FreshStore.steps(1), FreshStore.pulse(60), FreshStore.asleep(at: 0, lasting: 60)])
        let descriptors = [FreshStore.steps, FreshStore.heartRate].map {
            HKQueryDescriptor(sampleType: $0, predicate: nil)
        }
        let calls = Calls<([HKSampleType], HKQueryAnchor?)>()
        store.execute(
            HKAnchoredObjectQuery(queryDescriptors: descriptors, anchor: nil, limit: 0) { _, samples, _, anchor, _ in
                calls.add((samples?.map(\.sampleType) ?? [], anchor))
            })
        let (types, anchor) = await calls.next()
        #expect(types == [FreshStore.steps, FreshStore.heartRate])
        try await store.save(FreshStore.pulse(70, at: 60))
        store.execute(
            HKAnchoredObjectQuery(queryDescriptors: descriptors, anchor: anchor, limit: 0) { _, samples, _, anchor, _ in
                calls.add((samples?.map(\.sampleType) ?? [], anchor))
            })
        #expect(await calls.next().0 == [FreshStore.heartRate])
    }

    @Test func updatesContinueFromTheResults() async throws {
        try await store.save(FreshStore.steps(1))
        let calls = Calls<Page>()
        let query = HKAnchoredObjectQuery(
            type: FreshStore.steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { calls.add(Self.page($1, $2, $3, $4)) }
        query.updateHandler = { calls.add(Self.page($1, $2, $3, $4)) }
        store.execute(query)
        #expect(await calls.next().values == [1])
        try await store.save(FreshStore.pulse(60))
        let sample = FreshStore.steps(2, at: 60)
        try await store.save(sample)
        #expect(await calls.next().values == [2])
        try await store.delete(sample)
        let last = await calls.next()
        #expect(last.values == [])
        #expect(last.deleted == [sample.uuid])
        store.stop(query)
        #expect(await read(after: last.anchor).anchor == last.anchor)
    }

    @Test func theOldFormCountsInNumbers() async throws {
        try await store.save(FreshStore.steps(1))
        let calls = Calls<([HKSample]?, Int)>()
        func run(_ anchor: Int) {
            store.execute(
                HKAnchoredObjectQuery(
                    type: FreshStore.steps, predicate: nil, anchor: anchor, limit: 0,
                    completionHandler: { _, samples, anchor, _ in calls.add((samples, anchor)) }))
        }
        run(Int(HKAnchoredObjectQueryNoAnchor))
        let (first, anchor) = await calls.next()
        #expect(first?.count == 1)
        #expect(anchor > 0)
        run(anchor)
        #expect(await calls.next().0?.isEmpty == true)
    }

    @Test func anotherStoresAnchorCountsAsNone() async throws {
        let other = FreshStore.make()
        try await other.save((0..<5).map { FreshStore.steps(1, at: Double($0) * 60) })
        let foreign = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], anchor: nil
        ).result(for: other).newAnchor
        try await store.save((0..<9).map { FreshStore.steps(Double($0), at: Double($0) * 60) })
        #expect(await read(after: foreign).values?.count == 9)
        // Beyond the end: a store restored from an older copy.
        #expect(await read(after: HKQueryAnchor(fromValue: 1_000_000)).values?.count == 9)
    }

    @Test func anErrorComesWithNothingElse() async {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        let calls = Calls<Page>()
        store.execute(
            HKAnchoredObjectQuery(type: FreshStore.steps, predicate: nil, anchor: nil, limit: 0) {
                calls.add(Self.page($1, $2, $3, $4))
            })
        let page = await calls.next()
        #expect(page.values == nil && page.deleted == nil && page.anchor == nil)
        #expect(page.error?.code == .errorAuthorizationNotDetermined)
    }

    @Test func noDescriptorsEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKAnchoredObjectQuery(queryDescriptors: [], anchor: nil, limit: 0) { _, _, _, _, _ in }
        }
        #expect(
            result.errorText.contains(
                "HKAnchoredObjectQuery data type must be non-nil"))
    }

    @Test func anUpdateHandlerWithALimitEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.stepCount), predicate: nil, anchor: nil, limit: 5
            ) { _, _, _, _, _ in }
            query.updateHandler = { _, _, _, _, _ in }
        }
    }

    // MARK: Async

    @Test func theAsyncFormReadsOnce() async throws {
        try await store.save([FreshStore.steps(1), FreshStore.steps(2, at: 60)])
        var descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], anchor: nil, limit: 1)
        let first = try await descriptor.result(for: store)
        #expect(first.addedSamples.count == 1)
        descriptor.anchor = first.newAnchor
        let second = try await descriptor.result(for: store)
        #expect(second.addedSamples.map { $0.quantity.doubleValue(for: .count()) } == [2])
        #expect(second.deletedObjects.isEmpty)
    }

    @Test func resultsComeAsTheyAre() async throws {
        var iterator = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], anchor: nil
        ).results(for: store).makeAsyncIterator()
        #expect(try await iterator.next()?.addedSamples.isEmpty == true)
        let sample = FreshStore.steps(1)
        try await store.save(sample)
        #expect(try await iterator.next()?.addedSamples.map(\.uuid) == [sample.uuid])
        try await store.save(FreshStore.pulse(60))
        try await store.delete(sample)
        #expect(try await iterator.next()?.deletedObjects.map(\.uuid) == [sample.uuid])
    }

    @Test func resultsWithALimitComePageAfterPage() async throws {
        try await store.save((0..<5).map { FreshStore.steps(Double($0), at: Double($0) * 60) })
        let even = NSPredicate { object, _ in
            ((object as? HKQuantitySample)?.quantity.doubleValue(for: .count()) ?? 0) >= 3
        }
        var iterator = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps, predicate: even)], anchor: nil, limit: 2
        ).results(for: store).makeAsyncIterator()
        var values: [Double] = []
        while values.count < 2 {
            let page = try #require(try await iterator.next())
            values += page.addedSamples.map { $0.quantity.doubleValue(for: .count()) }
        }
        #expect(values == [3, 4])
    }

    @Test func cancellingEndsTheWait() async throws {
        let begun = Calls<Void>()
        let task = Task { [store] in
            for try await _ in HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: FreshStore.steps)], anchor: nil
            ).results(for: store) {
                begun.add(())
            }
        }
        await begun.next()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
