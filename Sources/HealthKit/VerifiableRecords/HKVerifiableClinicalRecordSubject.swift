public import Foundation

/// Whom a verifiable record is about.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKVerifiableClinicalRecordSubject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let record: VerifiableSubjectRecord

    init(_ record: VerifiableSubjectRecord) {
        self.record = record
    }

    /// The full name.
    public var fullName: String { record.fullName }

    /// The date of birth, as far as the record gives it.
    public var dateOfBirthComponents: DateComponents? {
        guard let year = record.birthYear else { return nil }
        return DateComponents(
            calendar: Calendar(identifier: .gregorian), year: year, month: record.birthMonth, day: record.birthDay)
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public class var supportsSecureCoding: Bool { true }

    /// `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(VerifiableSubjectRecord.self, from: coder) else { return nil }
        self.record = record
    }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKVerifiableClinicalRecordSubject)?.record == record
    }

    public override var hash: Int { record.hashValue }
}
