public import Foundation
import HealthModel

/// A dose of a medication that was taken, skipped or planned.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKMedicationDoseEvent: HKSample, DocumentBacked, @unchecked Sendable {
    /// The names of the document's fields.
    enum Field {
        static let logStatus = "logStatus"
        static let scheduleType = "scheduleType"
        static let concept = "medicationConceptIdentifier"
        static let scheduledDate = "scheduledDate"
        static let scheduledDose = "scheduledDoseQuantity"
        static let dose = "doseQuantity"
        static let unit = "unit"
    }

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// A dose that the store does not hold yet; people log them, applications cannot.
    package convenience init(
        medication: HKHealthConceptIdentifier, date: Date, status: LogStatus, scheduleType: ScheduleType,
        scheduledDate: Date?, scheduledDose: Double?, dose: Double?, unit: HKUnit, metadata: [String: Any]?
    ) {
        var fields: [String: FieldValue] = [
            Field.concept: .string(medication.token), Field.logStatus: .integer(Int64(status.rawValue)),
            Field.scheduleType: .integer(Int64(scheduleType.rawValue)), Field.unit: .string(unit.unitString),
        ]
        fields[Field.scheduledDate] = scheduledDate.map { .date($0.timeIntervalSinceReferenceDate) }
        fields[Field.scheduledDose] = scheduledDose.map { .double($0) }
        fields[Field.dose] = dose.map { .double($0) }
        self.init(
            new: .medicationDoseEventType(), start: date, end: date, device: nil, metadata: metadata,
            document: DocumentBody(fields: fields))
    }

    /// The event's type.
    public var medicationDoseEventType: HKMedicationDoseEventType {
        // Only this type reaches the contexts of this class.
        unsafeDowncast(context.type, to: HKMedicationDoseEventType.self)
    }

    /// What was done about the dose.
    public var logStatus: HKMedicationDoseEvent.LogStatus {
        document.integer(Field.logStatus).flatMap { LogStatus(rawValue: $0) } ?? .notInteracted
    }

    /// Whether the dose was due by a schedule or taken as needed.
    public var scheduleType: HKMedicationDoseEvent.ScheduleType {
        document.integer(Field.scheduleType).flatMap { ScheduleType(rawValue: $0) } ?? .asNeeded
    }

    /// The medication.
    public var medicationConceptIdentifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(domain: .medication, token: document.text(Field.concept) ?? "")
    }

    /// When the dose was due; `nil` for one taken as needed.
    public var scheduledDate: Date? { document.instant(Field.scheduledDate) }

    /// How much was due, in ``unit``.
    public var scheduledDoseQuantity: Double? { document[Field.scheduledDose]?.number }

    /// How much was taken, in ``unit``.
    public var doseQuantity: Double? { document[Field.dose]?.number }

    /// What doses are counted in.
    public var unit: HKUnit { document.text(Field.unit).flatMap { HKUnit.parsed($0) } ?? .count() }

    /// The event in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type is HKMedicationDoseEventType,
            item.document.text(Field.concept) != nil, item.document.integer(Field.logStatus) != nil
        else { return nil }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }
}
