public import Foundation

/// Whether the person uses a wheelchair, as a store gives it. It never changes and may be used from any thread.
public final class HKWheelchairUseObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// `.notSet` when nothing is known or may be read.
    public let wheelchairUse: HKWheelchairUse

    package init(_ wheelchairUse: HKWheelchairUse) {
        self.wheelchairUse = wheelchairUse
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
    }

    /// The object in an archive; `nil` for a value this version does not know.
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

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
