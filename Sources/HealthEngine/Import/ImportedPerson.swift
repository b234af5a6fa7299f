/// What tells one person's archive from another's: characteristics that do not change.
public struct ImportedPerson: Hashable, Sendable, Codable {
    /// A characteristic that two archives disagree about.
    public enum Difference: Hashable, Sendable, CaseIterable {
        /// The date of birth.
        case dateOfBirth
        /// The biological sex.
        case biologicalSex
        /// The blood type.
        case bloodType
    }

    /// The day the person was born.
    public var dateOfBirth: Profile.Day?
    /// As in ``Profile/biologicalSex``.
    public var biologicalSex: Int?
    /// As in ``Profile/bloodType``.
    public var bloodType: Int?

    /// Takes what an archive says, as a profile with nothing else in it.
    public init(_ profile: Profile) {
        dateOfBirth = profile.dateOfBirth
        biologicalSex = profile.biologicalSex
        bloodType = profile.bloodType
    }

    /// What both give and give differently. What one does not give is no difference.
    public func differences(from other: ImportedPerson) -> [Difference] {
        func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
            guard let left, let right else { return false }
            return left != right
        }
        return Difference.allCases.filter { difference in
            switch difference {
            case .dateOfBirth: differ(dateOfBirth, other.dateOfBirth)
            case .biologicalSex: differ(biologicalSex, other.biologicalSex)
            case .bloodType: differ(bloodType, other.bloodType)
            }
        }
    }

    /// Takes over what the other gives.
    mutating func update(with other: ImportedPerson) {
        dateOfBirth = other.dateOfBirth ?? dateOfBirth
        biologicalSex = other.biologicalSex ?? biologicalSex
        bloodType = other.bloodType ?? bloodType
    }
}
