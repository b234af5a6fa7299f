public import Foundation
import HealthModel

/// The application or device that wrote an object, identified by its bundle identifier.
///
/// Two sources are equal when their bundle identifiers are; the name may change over time. The source of this
/// application, ``default()``, equals the source of every application that a store of this process was configured
/// with.
// Unchecked: every stored property is a constant value; the compiler checks only final classes.
open class HKSource: _ValueObject, @unchecked Sendable {
    final let record: SourceRecord
    /// Whether this is ``default()``. In a predicate, it represents the application of the store that executes the
    /// query.
    final let isDefault: Bool

    init(_ record: SourceRecord, isDefault: Bool = false) {
        self.record = record
        self.isDefault = isDefault
    }

    /// The source of the objects this application saves: this program, or the application that a store was
    /// configured with. With several of them in one process, a predicate represents the application of the store
    /// that executes the query, and the name is that of the latest store.
    open class func `default`() -> HKSource { ProcessApplication.revision.source }

    /// The name shown to people.
    open var name: String { record.name }

    /// The bundle identifier.
    open var bundleIdentifier: String { record.bundleIdentifier }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(SourceRecord.self, from: coder) else { return nil }
        self.record = record
        isDefault = false
    }

    override var archivedRecord: any Codable & Hashable { record }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSource else { return false }
        if other.record.bundleIdentifier == record.bundleIdentifier { return true }
        switch (isDefault, other.isDefault) {
        case (true, true): return true
        case (true, false): return ProcessApplication.contains(other.record.bundleIdentifier)
        case (false, true): return ProcessApplication.contains(record.bundleIdentifier)
        case (false, false): return false
        }
    }

    open override var hash: Int { record.bundleIdentifier.hashValue }

    open override var description: String { "<HKSource \"\(name)\", \(bundleIdentifier)>" }
}

/// Matches any version of a source in a source-revision predicate.
public let HKSourceRevisionAnyVersion: String = "HKSourceRevisionAnyVersion"

/// Matches any product type in a source-revision predicate.
public let HKSourceRevisionAnyProductType: String = "HKSourceRevisionAnyProductType"

/// Matches any operating system version in a source-revision predicate.
public let HKSourceRevisionAnyOperatingSystem: OperatingSystemVersion = OperatingSystemVersion(
    majorVersion: -1, minorVersion: -1, patchVersion: -1)

/// A source at one version, on one product, under one operating system.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKSourceRevision: _ValueObject, @unchecked Sendable {
    final let record: SourceRevisionRecord
    // Created once, so that the samples of one revision share one source object.
    private let owner: HKSource

    init(_ record: SourceRevisionRecord, isDefault: Bool = false) {
        self.record = record
        owner = HKSource(record.source, isDefault: isDefault)
    }

    /// Creates a revision on any product and operating system.
    public init(source: HKSource, version: String?) {
        record = SourceRevisionRecord(
            source: source.record, version: version, productType: HKSourceRevisionAnyProductType,
            operatingSystemVersion: OperatingSystemVersionRecord(HKSourceRevisionAnyOperatingSystem))
        owner = source
    }

    /// Creates a revision; in predicates, the `HKSourceRevisionAny…` constants match any value.
    public init(
        source: HKSource, version: String?, productType: String?, operatingSystemVersion: OperatingSystemVersion
    ) {
        record = SourceRevisionRecord(
            source: source.record, version: version, productType: productType,
            operatingSystemVersion: OperatingSystemVersionRecord(operatingSystemVersion))
        owner = source
    }

    /// The source.
    open var source: HKSource { owner }

    /// The application's version, as it writes it.
    open var version: String? { record.version }

    /// The hardware, such as `Watch6,7`.
    open var productType: String? { record.productType }

    /// The operating system; zeros when unknown.
    open var operatingSystemVersion: OperatingSystemVersion {
        let system = record.operatingSystemVersion
        return OperatingSystemVersion(
            majorVersion: system.major, minorVersion: system.minor, patchVersion: system.patch)
    }

    /// The revision as a condition: the `HKSourceRevisionAny…` constants match any value.
    final var pattern: RevisionPattern {
        let (version, product, system) = (record.version, record.productType, record.operatingSystemVersion)
        let anySystem = OperatingSystemVersionRecord(HKSourceRevisionAnyOperatingSystem)
        return RevisionPattern(
            bundleIdentifier: record.source.bundleIdentifier,
            version: version == HKSourceRevisionAnyVersion ? .any : .exactly(version),
            productType: product == HKSourceRevisionAnyProductType ? .any : .exactly(product),
            operatingSystemVersion: system == anySystem ? .any : .exactly(system))
    }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(SourceRevisionRecord.self, from: coder) else { return nil }
        self.record = record
        owner = HKSource(record.source)
    }

    override var archivedRecord: any Codable & Hashable { record }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSourceRevision else { return false }
        return other.owner == owner && other.record.version == record.version
            && other.record.productType == record.productType
            && other.record.operatingSystemVersion == record.operatingSystemVersion
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(record.source.bundleIdentifier)
        hasher.combine(record.version)
        hasher.combine(record.productType)
        hasher.combine(record.operatingSystemVersion)
        return hasher.finalize()
    }

    open override var description: String {
        let system = record.operatingSystemVersion
        var text = "\"\(record.source.name)\""
        if let version { text += " (\(version))" }
        if let productType { text += ", \"\(productType)\"" }
        if system != OperatingSystemVersionRecord() {
            text += " (\(system.major).\(system.minor)" + (system.patch == 0 ? ")" : ".\(system.patch))")
        }
        return text
    }
}

extension OperatingSystemVersionRecord {
    init(_ version: OperatingSystemVersion) {
        self.init(major: version.majorVersion, minor: version.minorVersion, patch: version.patchVersion)
    }
}
