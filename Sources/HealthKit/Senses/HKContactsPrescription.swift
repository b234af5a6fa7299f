public import Foundation
import HealthModel

/// A prescription of contact lenses.
// Unchecked: adds no stored property to its superclass.
public class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
    /// A prescription with a lens for each eye, one of which may be missing, and the brand.
    ///
    /// An expiration before the issue, or metadata that is not allowed, ends the process.
    public convenience init(
        rightEyeSpecification: HKContactsLensSpecification?,
        leftEyeSpecification: HKContactsLensSpecification?, brand: String, dateIssued: Date,
        expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            type: .contacts, dateIssued: dateIssued, expirationDate: expirationDate,
            lenses: [
                Field.rightEye: rightEyeSpecification?.fieldValue,
                Field.leftEye: leftEyeSpecification?.fieldValue, Field.brand: .string(brand),
            ], device: device, metadata: metadata)
    }

    /// The lens of the right eye.
    public var rightEye: HKContactsLensSpecification? { lens(Field.rightEye) }

    /// The lens of the left eye.
    public var leftEye: HKContactsLensSpecification? { lens(Field.leftEye) }

    /// Who makes the lenses; empty where nothing is said.
    public var brand: String {
        if case .string(let brand) = document[Field.brand] { brand } else { "" }
    }

    private func lens(_ name: String) -> HKContactsLensSpecification? {
        document[name].flatMap { HKContactsLensSpecification($0) }
    }

    /// Whether what a document says of lenses is of contacts.
    static func areLenses(_ document: DocumentBody) -> Bool {
        [Field.rightEye, Field.leftEye].allSatisfy { name in
            document[name].map { HKContactsLensSpecification($0) != nil } ?? true
        }
    }
}
