public import Foundation
import HealthEngine

extension HKHealthStore {
    /// The date of birth: Gregorian year, month and day, without a time.
    ///
    /// - Throws: ``HKError/errorNoData`` when it is not known or may not be read,
    ///   ``HKError/errorAuthorizationNotDetermined`` when the application never asked for it.
    public func dateOfBirthComponents() throws -> DateComponents {
        guard let day = try characteristic(.dateOfBirth, \.dateOfBirth) else {
            throw HKError.make(.errorNoData, "No data available for the specified predicate.")
        }
        return DateComponents(
            calendar: Calendar(identifier: .gregorian), era: 1, year: day.year, month: day.month,
            day: day.day)
    }

    /// The date of birth at midnight of the present time zone. An older form of
    /// ``dateOfBirthComponents()``.
    public func dateOfBirth() throws -> Date {
        let components = try dateOfBirthComponents()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = connection.configuration.calendar.timeZone
        guard let date = calendar.date(from: components) else {
            throw HKError.make(.errorNoData, "No data available for the specified predicate.")
        }
        return date
    }

    /// The biological sex; not set when it is not known or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` when the application never asked for it.
    public func biologicalSex() throws -> HKBiologicalSexObject {
        let value = try characteristic(.biologicalSex, \.biologicalSex)
        return HKBiologicalSexObject(value.flatMap(HKBiologicalSex.init(rawValue:)) ?? .notSet)
    }

    /// The blood type; not set when it is not known or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` when the application never asked for it.
    public func bloodType() throws -> HKBloodTypeObject {
        let value = try characteristic(.bloodType, \.bloodType)
        return HKBloodTypeObject(value.flatMap(HKBloodType.init(rawValue:)) ?? .notSet)
    }

    /// The skin type on Fitzpatrick's scale; not set when it is not known or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` when the application never asked for it.
    public func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
        let value = try characteristic(.fitzpatrickSkinType, \.fitzpatrickSkinType)
        return HKFitzpatrickSkinTypeObject(value.flatMap(HKFitzpatrickSkinType.init(rawValue:)) ?? .notSet)
    }

    /// Whether the person uses a wheelchair; not set when it is not known or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` when the application never asked for it.
    public func wheelchairUse() throws -> HKWheelchairUseObject {
        let value = try characteristic(.wheelchairUse, \.wheelchairUse)
        return HKWheelchairUseObject(value.flatMap(HKWheelchairUse.init(rawValue:)) ?? .notSet)
    }

    /// What the Move ring counts: active energy, unless the person chose move time.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` when the application never asked for it.
    public func activityMoveMode() throws -> HKActivityMoveModeObject {
        let value = try characteristic(.activityMoveMode, \.activityMoveMode)
        return HKActivityMoveModeObject(value.flatMap(HKActivityMoveMode.init(rawValue:)) ?? .activeEnergy)
    }

    /// A field of the profile, `nil` when it is not set or reading it was refused.
    private func characteristic<Value>(
        _ identifier: HKCharacteristicTypeIdentifier, _ field: (Profile) -> Value?
    ) throws -> Value? {
        do {
            let engine = try connection.engine()
            guard let code = try engine.code(of: identifier.rawValue),
                try engine.checkRead(code, as: connection.caller) == .everything
            else { return nil }
            return field(try engine.profile())
        } catch {
            throw HKError.make(error)
        }
    }
}
