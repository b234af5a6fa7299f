public import Foundation
public import HealthKit

/// What a store knows of its person.
public struct TestCharacteristics: Hashable, Sendable {
    /// A Gregorian year, month and day.
    public var dateOfBirth: DateComponents?
    /// `nil`, here and below, leaves the characteristic not set.
    public var biologicalSex: HKBiologicalSex?
    /// The blood group.
    public var bloodType: HKBloodType?
    /// How the skin answers to the sun.
    public var fitzpatrickSkinType: HKFitzpatrickSkinType?
    /// Whether the person moves in a wheelchair.
    public var wheelchairUse: HKWheelchairUse?
    /// Whether the move ring counts energy or time.
    public var activityMoveMode: HKActivityMoveMode?

    /// Makes a person of whom only what is given is known.
    public init(
        dateOfBirth: DateComponents? = nil, biologicalSex: HKBiologicalSex? = nil, bloodType: HKBloodType? = nil,
        fitzpatrickSkinType: HKFitzpatrickSkinType? = nil, wheelchairUse: HKWheelchairUse? = nil,
        activityMoveMode: HKActivityMoveMode? = nil
    ) {
        self.dateOfBirth = dateOfBirth
        self.biologicalSex = biologicalSex
        self.bloodType = bloodType
        self.fitzpatrickSkinType = fitzpatrickSkinType
        self.wheelchairUse = wheelchairUse
        self.activityMoveMode = activityMoveMode
    }
}
