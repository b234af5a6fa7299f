public import Foundation
import HealthModel

extension HKQuery {
    /// Verifiable records whose relevant date lies in an interval, its ends included.
    public class func predicateForVerifiableClinicalRecords(
        withRelevantDateWithin dateInterval: DateInterval
    ) -> NSPredicate {
        let field = HKVerifiableClinicalRecord.Field.relevant
        return predicate(
            .and([
                .field(field, .greaterThanOrEqual, .date(dateInterval.start.timeIntervalSinceReferenceDate)),
                .field(field, .lessThanOrEqual, .date(dateInterval.end.timeIntervalSinceReferenceDate)),
            ]),
            printed: "relevantDate BETWEEN interval")
    }
}
