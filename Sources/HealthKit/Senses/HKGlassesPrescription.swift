public import Foundation
import HealthModel

/// A prescription of glasses.
// Unchecked: adds no stored property to its superclass.
public class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
    /// A prescription with a lens for each eye; one may be missing.
    ///
    /// An expiration before the issue, or metadata that is not allowed, ends the process.
    public convenience init(
        rightEyeSpecification: HKGlassesLensSpecification?,
        leftEyeSpecification: HKGlassesLensSpecification?, dateIssued: Date, expirationDate: Date?,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            type: .glasses, dateIssued: dateIssued, expirationDate: expirationDate,
            lenses: [
                Field.rightEye: rightEyeSpecification?.fieldValue,
                Field.leftEye: leftEyeSpecification?.fieldValue,
            ], device: device, metadata: metadata)
    }

    /// The lens of the right eye.
    public var rightEye: HKGlassesLensSpecification? { lens(Field.rightEye) }

    /// The lens of the left eye.
    public var leftEye: HKGlassesLensSpecification? { lens(Field.leftEye) }

    private func lens(_ name: String) -> HKGlassesLensSpecification? {
        document[name].flatMap { HKGlassesLensSpecification($0) }
    }

    /// Whether what a document says of lenses is of glasses.
    static func areLenses(_ document: DocumentBody) -> Bool {
        [Field.rightEye, Field.leftEye].allSatisfy { name in
            document[name].map { HKGlassesLensSpecification($0) != nil } ?? true
        }
    }
}
