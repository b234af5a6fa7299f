public import Foundation
import HealthModel

/// A source at one version, on one product, under one operating system.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    final let record: SourceRevisionRecord
    // Made once, so that the samples of one revision share one source object.
    private let owner: HKSource

    init(_ record: SourceRevisionRecord) {
        self.record = record
        owner = HKSource(record.source)
    }

    /// A revision on any product and operating system.
    public init(source: HKSource, version: String?) {
        record = SourceRevisionRecord(
            source: source.record, version: version, productType: HKSourceRevisionAnyProductType,
            operatingSystemVersion: OperatingSystemVersionRecord(HKSourceRevisionAnyOperatingSystem))
        owner = source
    }

    /// A revision with every field given; the `HKSourceRevisionAny…` constants stand for any value in predicates.
    public init(
        source: HKSource, version: String?, productType: String?,
        operatingSystemVersion: OperatingSystemVersion
    ) {
        record = SourceRevisionRecord(
            source: source.record, version: version, productType: productType,
            operatingSystemVersion: OperatingSystemVersionRecord(operatingSystemVersion))
        owner = source
    }

    /// Who wrote.
    open var source: HKSource { owner }

    /// The application's version, as it writes it.
    open var version: String? { record.version }

    /// The hardware it ran on, such as `Watch6,7`.
    open var productType: String? { record.productType }

    /// The operating system it ran under; zeros when unknown.
    open var operatingSystemVersion: OperatingSystemVersion {
        OperatingSystemVersion(record.operatingSystemVersion)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(SourceRevisionRecord.self, from: coder) else { return nil }
        self.record = record
        owner = HKSource(record.source)
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

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

extension OperatingSystemVersion {
    init(_ record: OperatingSystemVersionRecord) {
        self.init(majorVersion: record.major, minorVersion: record.minor, patchVersion: record.patch)
    }
}
