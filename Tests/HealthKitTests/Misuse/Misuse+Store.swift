import Foundation

@testable import HealthKit

extension Misuse {
    /// Calls of the store itself.
    static let store: [Misuse] = [
        Misuse("HKHealthStore+Work", 1, "Must request authorization for at least one data type") {
            try await FreshStore.make().requestAuthorization(toShare: [], read: [])
        },
        Misuse(
            "HKHealthStore+Work", 2,
            "Authorization to read the following types is disallowed: HKCorrelationTypeIdentifierFood"
        ) {
            _ = try await FreshStore.make().statusForAuthorizationRequest(toShare: [], read: [HKCorrelationType(.food)])
        },
        Misuse("HKHealthStore+Work", 4, aboutUnfit + "HKQuantityType") {
            try await FreshStore.make().deleteObjects(of: FreshStore.steps, predicate: unfit)
        },
        Misuse("HKHealthStore+Work", 3, aboutUnfit + "HKUserAnnotatedMedicationType") {
            try await FreshStore.make().requestPerObjectReadAuthorization(
                for: .userAnnotatedMedicationType(), predicate: unfit)
        },
    ]
}
