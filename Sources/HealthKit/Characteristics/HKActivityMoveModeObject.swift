public import Foundation

/// What drives the person's Move ring, as a store gives it. It never changes and may be used from any thread.
public final class HKActivityMoveModeObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The move mode in force.
    public let activityMoveMode: HKActivityMoveMode

    package init(_ activityMoveMode: HKActivityMoveMode) {
        self.activityMoveMode = activityMoveMode
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
    }

    /// The object in an archive; `nil` for a value this version does not know.
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

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
