/// Whom a verifiable record is about, as plain values.
struct VerifiableSubjectRecord: Hashable, Sendable, Codable {
    var fullName: String
    var birthYear: Int?
    var birthMonth: Int?
    var birthDay: Int?
}
