import HealthKit

/// Word of an observer query as a stream; many words that nobody has heard yet are one.
final class ObserverSignals: Sendable {
    let stream: AsyncStream<Void>
    private let store: HKHealthStore
    private let query: HKObserverQuery

    init(store: HKHealthStore, types: Set<HKSampleType>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        self.store = store
        query = HKObserverQuery(
            queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        ) { _, _, completion, error in
            // An error (protected data while locked) is no reason to read; the next word is.
            if error == nil { continuation.yield() }
            completion()
        }
        store.execute(query)
    }

    deinit {
        store.stop(query)
    }
}
