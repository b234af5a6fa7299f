import Foundation
import HealthKit

/// What the app does with a result that a person should see. UIKit and SwiftUI implement it in the app, and tests record it.
public protocol StepsDisplay: AnyObject {
    @MainActor func show(steps: Int)
}

/// Today's steps. The code is the same on every system.
@MainActor
public final class StepsModel {
    public private(set) var steps = 0

    private let store: HKHealthStore
    private let now: () -> Date
    private weak var display: (any StepsDisplay)?
    private let type = HKQuantityType(.stepCount)

    public init(store: HKHealthStore, display: (any StepsDisplay)? = nil, now: @escaping () -> Date = { Date() }) {
        self.store = store
        self.display = display
        self.now = now
    }

    public func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: [type])
    }

    /// - Throws: An error other than that of a person without steps.
    public func refresh() async throws {
        let start = Calendar.current.startOfDay(for: now())
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: type, predicate: HKQuery.predicateForSamples(withStart: start, end: now())),
            options: .cumulativeSum)
        do {
            let sum = try await descriptor.result(for: store)?.sumQuantity()
            steps = Int(sum?.doubleValue(for: .count()) ?? 0)
        } catch HKError.errorNoData {
            steps = 0
        }
        // Also without data: the display must not keep the number of another day.
        display?.show(steps: steps)
    }
}
