public import Foundation

/// The person's biological sex. Immutable; may be used from any thread.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKBiologicalSexObject: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// `.notSet` if it is unknown or may not be read.
    open var biologicalSex: HKBiologicalSex { storedBiologicalSex }

    private let storedBiologicalSex: HKBiologicalSex

    /// Creates an object whose value is not set; subclasses override it.
    public override init() {
        storedBiologicalSex = .notSet
    }

    package init(_ biologicalSex: HKBiologicalSex) {
        storedBiologicalSex = biologicalSex
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public required init?(coder: NSCoder) {
        guard let known = coder.decodeEnumeration(HKBiologicalSex.self, forKey: "biologicalSex") else { return nil }
        storedBiologicalSex = known
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBiologicalSexObject)?.biologicalSex == biologicalSex
    }

    open override var hash: Int { biologicalSex.hashValue }

    /// Returns the object itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The person's blood type. Immutable; may be used from any thread.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKBloodTypeObject: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// `.notSet` if it is unknown or may not be read.
    open var bloodType: HKBloodType { storedBloodType }

    private let storedBloodType: HKBloodType

    /// Creates an object whose value is not set; subclasses override it.
    public override init() {
        storedBloodType = .notSet
    }

    package init(_ bloodType: HKBloodType) {
        storedBloodType = bloodType
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(bloodType.rawValue, forKey: "bloodType")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public required init?(coder: NSCoder) {
        guard let known = coder.decodeEnumeration(HKBloodType.self, forKey: "bloodType") else { return nil }
        storedBloodType = known
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBloodTypeObject)?.bloodType == bloodType
    }

    open override var hash: Int { bloodType.hashValue }

    /// Returns the object itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The person's skin type. Immutable; may be used from any thread.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKFitzpatrickSkinTypeObject: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// `.notSet` if it is unknown or may not be read.
    open var skinType: HKFitzpatrickSkinType { storedSkinType }

    private let storedSkinType: HKFitzpatrickSkinType

    /// Creates an object whose value is not set; subclasses override it.
    public override init() {
        storedSkinType = .notSet
    }

    package init(_ skinType: HKFitzpatrickSkinType) {
        storedSkinType = skinType
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(skinType.rawValue, forKey: "skinType")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public required init?(coder: NSCoder) {
        guard let known = coder.decodeEnumeration(HKFitzpatrickSkinType.self, forKey: "skinType") else { return nil }
        storedSkinType = known
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFitzpatrickSkinTypeObject)?.skinType == skinType
    }

    open override var hash: Int { skinType.hashValue }

    /// Returns the object itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Whether the person uses a wheelchair. Immutable; may be used from any thread.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKWheelchairUseObject: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// `.notSet` if it is unknown or may not be read.
    open var wheelchairUse: HKWheelchairUse { storedWheelchairUse }

    private let storedWheelchairUse: HKWheelchairUse

    /// Creates an object whose value is not set; subclasses override it.
    public override init() {
        storedWheelchairUse = .notSet
    }

    package init(_ wheelchairUse: HKWheelchairUse) {
        storedWheelchairUse = wheelchairUse
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public required init?(coder: NSCoder) {
        guard let known = coder.decodeEnumeration(HKWheelchairUse.self, forKey: "wheelchairUse") else { return nil }
        storedWheelchairUse = known
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWheelchairUseObject)?.wheelchairUse == wheelchairUse
    }

    open override var hash: Int { wheelchairUse.hashValue }

    /// Returns the object itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The person's move mode. Immutable; may be used from any thread.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKActivityMoveModeObject: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The current move mode.
    open var activityMoveMode: HKActivityMoveMode { storedActivityMoveMode }

    private let storedActivityMoveMode: HKActivityMoveMode

    /// Creates an object whose value is active energy; subclasses override it.
    public override init() {
        storedActivityMoveMode = .activeEnergy
    }

    package init(_ activityMoveMode: HKActivityMoveMode) {
        storedActivityMoveMode = activityMoveMode
    }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
    }

    /// Decodes the object; `nil` for a value that this version does not know.
    public required init?(coder: NSCoder) {
        guard let known = coder.decodeEnumeration(HKActivityMoveMode.self, forKey: "activityMoveMode") else {
            return nil
        }
        storedActivityMoveMode = known
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKActivityMoveModeObject)?.activityMoveMode == activityMoveMode
    }

    open override var hash: Int { activityMoveMode.hashValue }

    /// Returns the object itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSCoder {
    /// The case whose raw value is encoded for a key; `nil` without one, and for a value that this version does not
    /// know.
    fileprivate func decodeEnumeration<Value: RawRepresentable<Int>>(_: Value.Type, forKey key: String) -> Value? {
        containsValue(forKey: key) ? Value(rawValue: decodeInteger(forKey: key)) : nil
    }
}
