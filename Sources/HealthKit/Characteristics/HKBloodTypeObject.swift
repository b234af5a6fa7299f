public import Foundation

/// The person's blood type, as a store gives it. It never changes and may be used from any thread.
public final class HKBloodTypeObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// `.notSet` when nothing is known or may be read.
    public let bloodType: HKBloodType

    package init(_ bloodType: HKBloodType) {
        self.bloodType = bloodType
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(bloodType.rawValue, forKey: "bloodType")
    }

    /// The object in an archive; `nil` for a value this version does not know.
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

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
