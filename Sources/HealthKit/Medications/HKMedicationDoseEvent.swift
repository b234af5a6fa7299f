public import Foundation
import HealthModel

/// A dose of a medication that was taken, skipped or planned.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKMedicationDoseEvent: HKSample, DocumentSample, @unchecked Sendable {
    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKMedicationDoseEvent(base, fields: fields) }

    /// Creates a dose that is not in the store yet; people log doses, applications cannot.
    package convenience init(
        medication: HKHealthConceptIdentifier, date: Date, status: LogStatus, scheduleType: ScheduleType,
        scheduledDate: Date?, scheduledDose: Double?, dose: Double?, unit: HKUnit, metadata: [String: Any]?
    ) {
        self.init(
            .document(.medicationDoseEventType(), start: date, end: date, device: nil, metadata: metadata),
            fields: Fields(
                concept: medication.token, logStatus: status.rawValue, scheduleType: scheduleType.rawValue,
                scheduledDate: scheduledDate, scheduledDose: scheduledDose, dose: dose, unit: unit.unitString))
    }

    /// The type of the event.
    open var medicationDoseEventType: HKMedicationDoseEventType {
        // Samples of this class have this type only.
        unsafeDowncast(context.type, to: HKMedicationDoseEventType.self)
    }

    /// The status that the person logged.
    open var logStatus: HKMedicationDoseEvent.LogStatus {
        fields.logStatus.flatMap { LogStatus(rawValue: $0) } ?? .notInteracted
    }

    /// The schedule of the dose: by schedule or as needed.
    open var scheduleType: HKMedicationDoseEvent.ScheduleType {
        fields.scheduleType.flatMap { ScheduleType(rawValue: $0) } ?? .asNeeded
    }

    /// The identifier of the medication.
    open var medicationConceptIdentifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(domain: .medication, token: fields.concept ?? "")
    }

    /// The date when the dose was due; `nil` for a dose taken as needed.
    open var scheduledDate: Date? { fields.scheduledDate }

    /// The amount that was due, in ``unit``.
    open var scheduledDoseQuantity: Double? { fields.scheduledDose }

    /// The amount that was taken, in ``unit``.
    open var doseQuantity: Double? { fields.dose }

    /// The unit of the amounts.
    open var unit: HKUnit { fields.unit.flatMap { HKUnit.parsed($0) } ?? .count() }

    /// The event in an archive; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder) else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

// MARK: - Predicates

extension HKQuery {
    /// Matches doses of a status.
    public class func predicateForMedicationDoseEvent(status: HKMedicationDoseEvent.LogStatus) -> NSPredicate {
        predicateForMedicationDoseEvent(statuses: [NSNumber(value: status.rawValue)])
    }

    /// Matches doses of one of several statuses, by raw value.
    public class func predicateForMedicationDoseEvent(statuses: Set<NSNumber>) -> NSPredicate {
        doses(
            HKMedicationDoseEvent.Field.logStatus,
            statuses.map(\.intValue).sorted().map { .integer(Int64($0)) }, printed: "status IN statuses")
    }

    /// Matches doses that were due at an instant.
    public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
        predicateForMedicationDoseEvent(scheduledDates: [scheduledDate])
    }

    /// Matches doses that were due at one of several instants.
    public class func predicateForMedicationDoseEvent(scheduledDates: Set<Date>) -> NSPredicate {
        doses(
            HKMedicationDoseEvent.Field.scheduledDate,
            scheduledDates.sorted().map { .date($0.timeIntervalSinceReferenceDate) }, printed: "scheduledDate IN dates")
    }

    /// Matches doses that were due at or after `startDate` and before `endDate`; a `nil` date leaves its side
    /// open. Doses without a schedule never match.
    public class func predicateForMedicationDoseEvent(
        scheduledStart startDate: Date?, end endDate: Date?
    ) -> NSPredicate {
        let field = HKMedicationDoseEvent.Field.scheduledDate
        var filters: [SampleFilter] = [
            .field(field, .greaterThanOrEqual, .date((startDate ?? .distantPast).timeIntervalSinceReferenceDate))
        ]
        if let endDate { filters.append(.field(field, .lessThan, .date(endDate.timeIntervalSinceReferenceDate))) }
        return predicate(.and(filters), printed: "scheduledDate >= start AND scheduledDate < end")
    }

    /// Matches doses of a medication.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifier: HKHealthConceptIdentifier
    ) -> NSPredicate {
        predicateForMedicationDoseEvent(medicationConceptIdentifiers: [medicationConceptIdentifier])
    }

    /// Matches doses of one of several medications.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifiers: Set<HKHealthConceptIdentifier>
    ) -> NSPredicate {
        doses(
            HKMedicationDoseEvent.Field.concept, medicationConceptIdentifiers.map(\.token).sorted().map { .string($0) },
            printed: "medicationConceptIdentifier IN concepts")
    }

    private class func doses(_ field: String, _ values: [FieldValue], printed: String) -> NSPredicate {
        predicate(values.isEmpty ? .nothing : .or(values.map { .field(field, .equal, $0) }), printed: printed)
    }
}
