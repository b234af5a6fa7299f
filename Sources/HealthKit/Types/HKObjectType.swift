public import Foundation
package import HealthModel

/// A kind of data that a store holds. Known types are the identical object however they are asked for;
/// types are equal when their identifiers are.
///
/// Types never change and may be used from any thread.
// Unchecked: every stored property of the family is an immutable value; classes that are open cannot be checked.
open class HKObjectType: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable, SharedObjectMaking {
    /// What the model knows of the type.
    package let typeDescription: TypeDescription

    package init(_ description: TypeDescription) {
        typeDescription = description
        super.init()
    }

    /// The name of the type as archives spell it.
    public final var identifier: String { typeDescription.identifier }

    /// The type's number in pages and tables of a store.
    package final var code: TypeCode { typeDescription.code }

    /// Whether the person decides about each object and not about the type as a whole: so it is for vision
    /// prescriptions and medications.
    open func requiresPerObjectAuthorization() -> Bool { false }

    /// The identifier.
    open override var description: String { identifier }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKObjectType else { return false }
        return self === other || identifier == other.identifier
    }

    open override var hash: Int { identifier.hashValue }

    /// The type itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: TypeArchive.identifierKey)
        coder.encode(String(code.rawValue) as NSString, forKey: TypeArchive.codeKey)
        coder.encode(String(typeDescription.kind.rawValue) as NSString, forKey: TypeArchive.kindKey)
    }

    /// The type in an archive; `nil` when it is damaged or of another class.
    public required convenience init?(coder: NSCoder) {
        guard let type = TypeArchive.description(from: coder).map(HKObjectType.described(by:)) as? Self else { return nil }
        self.init(sharing: type)
    }
}
