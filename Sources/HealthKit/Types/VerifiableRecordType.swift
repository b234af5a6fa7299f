/// The type of all verifiable records; applications have no name for it.
// Unchecked: adds no stored property to its superclass.
final class VerifiableRecordType: HKSampleType, @unchecked Sendable {
    static let identifier = "HKDataTypeIdentifierVerifiableClinicalRecord"
}
