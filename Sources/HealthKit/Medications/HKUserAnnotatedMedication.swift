public import Foundation
import HealthModel

/// A medication of the person, with what the person noted about it.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKUserAnnotatedMedication: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    final let record: MedicationRecord

    init(_ record: MedicationRecord) {
        self.record = record
    }

    /// A medication that the store does not hold yet; people enter them, applications cannot.
    package convenience init(
        nickname: String?, isArchived: Bool, hasSchedule: Bool, concept: String, displayText: String,
        generalForm: HKMedicationGeneralForm, codings: Set<HKClinicalCoding>
    ) {
        self.init(
            MedicationRecord(
                nickname: nickname, isArchived: isArchived, hasSchedule: hasSchedule, concept: concept,
                displayText: displayText, generalForm: generalForm.rawValue, codings: Set(codings.map(\.record))))
    }

    /// What the person calls it.
    public var nickname: String? { record.nickname }

    /// Whether the person no longer takes it.
    public var isArchived: Bool { record.isArchived }

    /// Whether there are reminders for it.
    public var hasSchedule: Bool { record.hasSchedule }

    /// What it is.
    public var medication: HKMedicationConcept { HKMedicationConcept(record) }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(MedicationRecord.self, from: coder) else { return nil }
        self.record = record
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKUserAnnotatedMedication)?.record == record
    }

    public override var hash: Int { record.concept.hashValue }
}
