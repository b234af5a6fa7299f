import Foundation
import HealthKit

extension HKHealthStore {
    /// Fetches the single most recent quantity of a type.
    func aapl_mostRecentQuantitySample(
        ofType quantityType: HKQuantityType, predicate: NSPredicate?,
        completion: @escaping (HKQuantity?, Error?) -> Void
    ) {
        let timeSortDescriptor = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: quantityType, predicate: predicate, limit: 1, sortDescriptors: [timeSortDescriptor]
        ) { _, results, error in
            guard let results = results else {
                completion(nil, error)
                return
            }
            completion((results.first as? HKQuantitySample)?.quantity, error)
        }
        execute(query)
    }
}
