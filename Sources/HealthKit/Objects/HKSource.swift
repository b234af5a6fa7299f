public import Foundation
import HealthModel

/// Who wrote an object: an application or a device, known by its bundle identifier.
///
/// Two sources are equal when their bundle identifiers are; the name may change over time.
// Unchecked: the one stored property is a constant value; the compiler checks only final classes.
open class HKSource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    final let record: SourceRecord

    init(_ record: SourceRecord) {
        self.record = record
    }

    /// The source of what this program saves.
    open class func `default`() -> HKSource { HKSourceRevision.ofThisProgram.source }

    /// The name shown to people.
    open var name: String { record.name }

    /// The application's identity.
    open var bundleIdentifier: String { record.bundleIdentifier }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(SourceRecord.self, from: coder) else { return nil }
        self.record = record
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKSource)?.record.bundleIdentifier == record.bundleIdentifier
    }

    open override var hash: Int { record.bundleIdentifier.hashValue }

    open override var description: String { "<HKSource \"\(name)\", \(bundleIdentifier)>" }
}
