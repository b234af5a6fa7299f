public import Foundation

/// A medication as such, whoever takes it: what it is called, its form, its codes.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKMedicationConcept: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let record: MedicationRecord

    init(_ record: MedicationRecord) {
        self.record = record
    }

    /// Which concept it is; dose events name it.
    public var identifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(domain: .medication, token: record.concept)
    }

    /// The name shown to people.
    public var displayText: String { record.displayText }

    /// Tablet, liquid, injection …
    public var generalForm: HKMedicationGeneralForm { HKMedicationGeneralForm(rawValue: record.generalForm) }

    /// Codes of medical vocabularies for the medication.
    public var relatedCodings: Set<HKClinicalCoding> { Set(record.codings.map { HKClinicalCoding($0) }) }

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
        (object as? HKMedicationConcept)?.record.concept == record.concept
    }

    public override var hash: Int { record.concept.hashValue }
}
