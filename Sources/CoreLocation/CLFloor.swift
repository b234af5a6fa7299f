public import Foundation

/// A storey of a building. There is no source of storeys on this system, so no location has one.
// Unchecked: the only stored property is constant; the compiler checks only final classes.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The storey: 0 on the ground, negative below it.
    public let level: Int

    package init(level: Int) {
        self.level = level
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    /// `nil` for an archive that holds no floor.
    public required init?(coder: NSCoder) {
        // Asked for a key that is not there, Foundation's unarchiver may end the process.
        guard coder.containsValue(forKey: "level"), let text = coder.decodeObject(of: NSString.self, forKey: "level"),
            let level = Int(text as String)
        else { return nil }
        self.level = level
    }

    open func encode(with coder: NSCoder) {
        // As text: numbers lose their kind in Foundation's unarchiver on Linux.
        coder.encode("\(level)" as NSString, forKey: "level")
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLFloor)?.level == level
    }

    open override var hash: Int { level.hashValue }
}
