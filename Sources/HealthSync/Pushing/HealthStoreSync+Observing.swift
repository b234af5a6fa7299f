import Foundation
import HealthKit

// Waking up when something changes, also while the app is not running.
extension HealthStoreSync {
    /// Starts a pass now and after every change, until ``stopObserving()``.
    ///
    /// Call this each time the app launches, also in the background: HealthKit launches an app with the capability for
    /// background delivery when a type changes, and expects its observer query soon. The query's completion handler is
    /// called when the server has acknowledged the changes or the pass has failed; HealthKit delivers again later.
    public func startObserving() async {
        guard observer == nil else { return }
        for type in types {
            // A type that the person did not permit can't be delivered; the others can.
            try? await store.enableBackgroundDelivery(for: type, frequency: .immediate)
        }
        guard observer == nil else { return }
        let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        let query = HKObserverQuery(queryDescriptors: descriptors) { [weak self] _, _, completion, error in
            let completion = DeliveryCompletion(call: completion)
            guard let self, error == nil else { return completion.call() }
            Task {
                await self.reportPass()
                completion.call()
            }
        }
        observer = query
        store.execute(query)
        Task { await self.reportPass() }
    }

    /// Stops the passes that changes start, and background delivery.
    public func stopObserving() async {
        guard let query = observer else { return }
        observer = nil
        store.stop(query)
        for type in types { try? await store.disableBackgroundDelivery(for: type) }
    }

    /// Makes a pass and reports its result.
    private func reportPass() async {
        do {
            options.onPass(.success(try await sync()))
        } catch {
            options.onPass(.failure(error))
        }
    }
}

/// The completion handler of an observer query.
// Unchecked: HealthKit lets the handler be called once on any thread, but not every version declares it so.
private struct DeliveryCompletion: @unchecked Sendable {
    let call: HKObserverQueryCompletionHandler
}
