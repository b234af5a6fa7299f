public import Foundation
import HealthModel

/// Something the store keeps: an identity, who wrote it, with which device, and metadata.
///
/// Objects never change once made. Two objects are equal when their identities are.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
    final let identity: UUID
    final let context: ObjectContext

    init(identity: UUID, context: ObjectContext) {
        self.identity = identity
        self.context = context
    }

    /// The identity, given when the object was made and kept by the store.
    open var uuid: UUID { identity }

    /// The source that wrote the object. For an object that was not read from a store, this program.
    open var source: HKSource { sourceRevision.source }

    /// The source with its version. For an object that was not read from a store, this program.
    open var sourceRevision: HKSourceRevision { context.revision ?? .ofThisProgram }

    /// The device that measured, where one was given.
    open var device: HKDevice? { context.device }

    /// Extra facts by key: `String`, `NSNumber`, `Date` or `HKQuantity` values; `nil` when there are none.
    open var metadata: [String: Any]? { context.metadataValues }

    open class var supportsSecureCoding: Bool { true }

    /// Objects of this class itself are never archived, so this always fails; subclasses decode themselves.
    public required init?(coder: NSCoder) {
        return nil
    }

    open func encode(with coder: NSCoder) {
        guard let archive = ObjectArchive(self) else { return }
        SecureRecord.encode(archive, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKObject)?.identity == identity
    }

    open override var hash: Int { identity.hashValue }

    open override var description: String { "\(identity) \(sourceRevision)" }
}
