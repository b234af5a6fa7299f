public import Foundation

/// The person's skin type, as a store gives it. It never changes and may be used from any thread.
public final class HKFitzpatrickSkinTypeObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// `.notSet` when nothing is known or may be read.
    public let skinType: HKFitzpatrickSkinType

    package init(_ skinType: HKFitzpatrickSkinType) {
        self.skinType = skinType
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(skinType.rawValue, forKey: "skinType")
    }

    /// The object in an archive; `nil` for a value this version does not know.
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

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
