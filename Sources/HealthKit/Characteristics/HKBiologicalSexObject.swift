public import Foundation

/// The person's sex, as a store gives it. It never changes and may be used from any thread.
public final class HKBiologicalSexObject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// `.notSet` when nothing is known or may be read.
    public let biologicalSex: HKBiologicalSex

    package init(_ biologicalSex: HKBiologicalSex) {
        self.biologicalSex = biologicalSex
        super.init()
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
    }

    /// The object in an archive; `nil` for a value this version does not know.
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

    /// The object itself: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
