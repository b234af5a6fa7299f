public import Foundation

/// The person's biological sex. Immutable; may be used from any thread.
public final class HKBiologicalSexObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// `.notSet` if it is unknown or may not be read.
    public let biologicalSex: HKBiologicalSex

    package init(_ biologicalSex: HKBiologicalSex) {
        self.biologicalSex = biologicalSex
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "biologicalSex"),
            let known = HKBiologicalSex(rawValue: coder.decodeInteger(forKey: "biologicalSex"))
        else { return nil }
        biologicalSex = known
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBiologicalSexObject)?.biologicalSex == biologicalSex
    }

    public override var hash: Int { biologicalSex.hashValue }

    /// Returns the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The person's blood type. Immutable; may be used from any thread.
public final class HKBloodTypeObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// `.notSet` if it is unknown or may not be read.
    public let bloodType: HKBloodType

    package init(_ bloodType: HKBloodType) {
        self.bloodType = bloodType
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(bloodType.rawValue, forKey: "bloodType")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "bloodType"),
            let known = HKBloodType(rawValue: coder.decodeInteger(forKey: "bloodType"))
        else { return nil }
        bloodType = known
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBloodTypeObject)?.bloodType == bloodType
    }

    public override var hash: Int { bloodType.hashValue }

    /// Returns the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The person's skin type. Immutable; may be used from any thread.
public final class HKFitzpatrickSkinTypeObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// `.notSet` if it is unknown or may not be read.
    public let skinType: HKFitzpatrickSkinType

    package init(_ skinType: HKFitzpatrickSkinType) {
        self.skinType = skinType
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(skinType.rawValue, forKey: "skinType")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "skinType"),
            let known = HKFitzpatrickSkinType(rawValue: coder.decodeInteger(forKey: "skinType"))
        else { return nil }
        skinType = known
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFitzpatrickSkinTypeObject)?.skinType == skinType
    }

    public override var hash: Int { skinType.hashValue }

    /// Returns the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Whether the person uses a wheelchair. Immutable; may be used from any thread.
public final class HKWheelchairUseObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// `.notSet` if it is unknown or may not be read.
    public let wheelchairUse: HKWheelchairUse

    package init(_ wheelchairUse: HKWheelchairUse) {
        self.wheelchairUse = wheelchairUse
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "wheelchairUse"),
            let known = HKWheelchairUse(rawValue: coder.decodeInteger(forKey: "wheelchairUse"))
        else { return nil }
        wheelchairUse = known
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWheelchairUseObject)?.wheelchairUse == wheelchairUse
    }

    public override var hash: Int { wheelchairUse.hashValue }

    /// Returns the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The person's move mode. Immutable; may be used from any thread.
public final class HKActivityMoveModeObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The current move mode.
    public let activityMoveMode: HKActivityMoveMode

    package init(_ activityMoveMode: HKActivityMoveMode) {
        self.activityMoveMode = activityMoveMode
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "activityMoveMode"),
            let known = HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "activityMoveMode"))
        else { return nil }
        activityMoveMode = known
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKActivityMoveModeObject)?.activityMoveMode == activityMoveMode
    }

    public override var hash: Int { activityMoveMode.hashValue }

    /// Returns the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
