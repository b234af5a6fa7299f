public import Foundation

/// An object that consists of values: equal to another one with the same values, archived as one record, and copied as
/// itself because it never changes.
///
/// The common superclass of such objects of a store. Applications use its subclasses.
// Unchecked: this class adds no stored property to its superclass.
open class _ValueObject: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Creates an object whose values are those of a subclass.
    public override init() {}

    /// Subclasses read their values.
    // Not designated: the initializers of subclasses call the other one implicitly.
    public required convenience init?(coder: NSCoder) { self.init() }

    /// The values, as archives contain them.
    var archivedRecord: any Codable & Hashable { preconditionFailure("\(type(of: self)) has no record") }

    /// The values that determine equality. Those of two classes have different types.
    var equatableValues: any Hashable { archivedRecord }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(archivedRecord, with: coder)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? _ValueObject else { return false }
        return AnyHashable(equatableValues) == AnyHashable(other.equatableValues)
    }

    open override var hash: Int { AnyHashable(equatableValues).hashValue }
}
