public import Foundation
import HealthModel

// MARK: Doses

extension HKQuery {
    /// Doses of a status.
    public class func predicateForMedicationDoseEvent(status: HKMedicationDoseEvent.LogStatus) -> NSPredicate {
        predicateForMedicationDoseEvent(statuses: [NSNumber(value: status.rawValue)])
    }

    /// Doses of one of several statuses, by raw value.
    public class func predicateForMedicationDoseEvent(statuses: Set<NSNumber>) -> NSPredicate {
        doses(
            HKMedicationDoseEvent.Field.logStatus,
            statuses.map(\.intValue).sorted().map { .integer(Int64($0)) }, printed: "status IN statuses")
    }

    /// Doses due at an instant.
    public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
        predicateForMedicationDoseEvent(scheduledDates: [scheduledDate])
    }

    /// Doses due at one of several instants.
    public class func predicateForMedicationDoseEvent(scheduledDates: Set<Date>) -> NSPredicate {
        doses(
            HKMedicationDoseEvent.Field.scheduledDate,
            scheduledDates.sorted().map { .date($0.timeIntervalSinceReferenceDate) },
            printed: "scheduledDate IN dates")
    }

    /// Doses due from `startDate` on and before `endDate`; a `nil` date leaves its side open. Doses without a
    /// schedule never match.
    public class func predicateForMedicationDoseEvent(
        scheduledStart startDate: Date?, end endDate: Date?
    ) -> NSPredicate {
        let start = (startDate ?? .distantPast).timeIntervalSinceReferenceDate
        var filters: [SampleFilter] = [
            .field(HKMedicationDoseEvent.Field.scheduledDate, .greaterThanOrEqual, .date(start))
        ]
        if let endDate {
            let end = FieldValue.date(endDate.timeIntervalSinceReferenceDate)
            filters.append(.field(HKMedicationDoseEvent.Field.scheduledDate, .lessThan, end))
        }
        return predicate(.and(filters), printed: "scheduledDate >= start AND scheduledDate < end")
    }

    /// Doses of a medication.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifier: HKHealthConceptIdentifier
    ) -> NSPredicate {
        predicateForMedicationDoseEvent(medicationConceptIdentifiers: [medicationConceptIdentifier])
    }

    /// Doses of one of several medications.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifiers: Set<HKHealthConceptIdentifier>
    ) -> NSPredicate {
        doses(
            HKMedicationDoseEvent.Field.concept,
            medicationConceptIdentifiers.map(\.token).sorted().map { .string($0) },
            printed: "medicationConceptIdentifier IN concepts")
    }

    private class func doses(_ field: String, _ values: [FieldValue], printed: String) -> NSPredicate {
        predicate(
            values.isEmpty ? .nothing : .or(values.map { .field(field, .equal, $0) }), printed: printed)
    }

    // MARK: Medications

    /// Medications that the person does or does not take any longer.
    public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
        predicate(.field(MedicationRecord.Field.isArchived, .equal, .bool(isArchived)), printed: "isArchived == value")
    }

    /// Medications with or without reminders.
    public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
        predicate(
            .field(MedicationRecord.Field.hasSchedule, .equal, .bool(hasSchedule)), printed: "hasSchedule == value")
    }
}
