public import Foundation

/// The application or device that wrote an object, identified by its bundle identifier.
///
/// Two sources are equal when their bundle identifiers are; the name may change over time. The source of this
/// application, ``default()``, equals the source of every application that a store of this process was configured
/// with.
// Unchecked: every stored property is a constant value; the compiler checks only final classes.
open class HKSource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    struct Fields: Hashable, Sendable, Codable {
        var bundleIdentifier: String
        var name: String
    }

    final let fields: Fields
    /// Whether this is ``default()``. In a predicate, it stands for the application of the store that executes the
    /// query.
    final let isDefault: Bool

    init(_ fields: Fields, isDefault: Bool = false) {
        self.fields = fields
        self.isDefault = isDefault
    }

    /// The source of the objects this application saves: this program, or the application that a store was
    /// configured with. With several of them in one process, a predicate stands for the application of the store
    /// that executes the query, and the name is that of the latest store.
    open class func `default`() -> HKSource { ProcessApplication.revision.source }

    /// The name shown to people.
    open var name: String { fields.name }

    /// The bundle identifier.
    open var bundleIdentifier: String { fields.bundleIdentifier }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(Fields.self, from: coder) else { return nil }
        self.fields = fields
        isDefault = false
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(fields, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSource else { return false }
        if other.fields.bundleIdentifier == fields.bundleIdentifier { return true }
        switch (isDefault, other.isDefault) {
        case (true, true): return true
        case (true, false): return ProcessApplication.contains(other.fields.bundleIdentifier)
        case (false, true): return ProcessApplication.contains(fields.bundleIdentifier)
        case (false, false): return false
        }
    }

    open override var hash: Int { fields.bundleIdentifier.hashValue }

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
open class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    struct Fields: Hashable, Sendable, Codable {
        struct SystemVersion: Hashable, Sendable, Codable {
            var major = 0
            var minor = 0
            var patch = 0

            init(major: Int = 0, minor: Int = 0, patch: Int = 0) {
                self.major = major
                self.minor = minor
                self.patch = patch
            }

            init(_ version: OperatingSystemVersion) {
                self.init(major: version.majorVersion, minor: version.minorVersion, patch: version.patchVersion)
            }

            static let any = SystemVersion(HKSourceRevisionAnyOperatingSystem)
        }

        var source: HKSource.Fields
        var version: String?
        var productType: String?
        /// Zeros when unknown.
        var operatingSystemVersion: SystemVersion
    }

    final let fields: Fields
    // Created once, so that the samples of one revision share one source object.
    private let owner: HKSource

    init(_ fields: Fields, isDefault: Bool = false) {
        self.fields = fields
        owner = HKSource(fields.source, isDefault: isDefault)
    }

    /// Creates a revision on any product and operating system.
    public init(source: HKSource, version: String?) {
        fields = Fields(
            source: source.fields, version: version, productType: HKSourceRevisionAnyProductType,
            operatingSystemVersion: .any)
        owner = source
    }

    /// Creates a revision; in predicates, the `HKSourceRevisionAny…` constants match any value.
    public init(
        source: HKSource, version: String?, productType: String?,
        operatingSystemVersion: OperatingSystemVersion
    ) {
        fields = Fields(
            source: source.fields, version: version, productType: productType,
            operatingSystemVersion: Fields.SystemVersion(operatingSystemVersion))
        owner = source
    }

    /// The source.
    open var source: HKSource { owner }

    /// The application's version, as it writes it.
    open var version: String? { fields.version }

    /// The hardware, such as `Watch6,7`.
    open var productType: String? { fields.productType }

    /// The operating system; zeros when unknown.
    open var operatingSystemVersion: OperatingSystemVersion {
        let system = fields.operatingSystemVersion
        return OperatingSystemVersion(
            majorVersion: system.major, minorVersion: system.minor, patchVersion: system.patch)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = SecureRecord.decode(Fields.self, from: coder) else { return nil }
        self.fields = fields
        owner = HKSource(fields.source)
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(fields, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSourceRevision else { return false }
        return other.owner == owner && other.fields.version == fields.version
            && other.fields.productType == fields.productType
            && other.fields.operatingSystemVersion == fields.operatingSystemVersion
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(fields.source.bundleIdentifier)
        hasher.combine(fields.version)
        hasher.combine(fields.productType)
        hasher.combine(fields.operatingSystemVersion)
        return hasher.finalize()
    }

    open override var description: String {
        let system = fields.operatingSystemVersion
        var text = "\"\(fields.source.name)\""
        if let version { text += " (\(version))" }
        if let productType { text += ", \"\(productType)\"" }
        if system != Fields.SystemVersion() {
            text += " (\(system.major).\(system.minor)" + (system.patch == 0 ? ")" : ".\(system.patch))")
        }
        return text
    }
}

// MARK: - This program

extension HKSourceRevision {
    /// The running program: its identity (`$HEALTHKIT_APPLICATION`, else the bundle identifier, else
    /// the executable's name), name, version, machine and operating system.
    static let ofThisProgram: HKSourceRevision = {
        let process = ProcessInfo.processInfo
        let executable = process.processName.isEmpty ? "unknown" : process.processName
        let information = Bundle.main.infoDictionary ?? [:]
        let chosen = process.environment["HEALTHKIT_APPLICATION"].flatMap { $0.isEmpty ? nil : $0 }
        return HKSourceRevision(
            Fields(
                source: HKSource.Fields(
                    bundleIdentifier: chosen ?? Bundle.main.bundleIdentifier ?? executable,
                    name: information["CFBundleName"] as? String ?? executable),
                version: information["CFBundleShortVersionString"] as? String,
                productType: HKDevice.machine,
                operatingSystemVersion: Fields.SystemVersion(process.operatingSystemVersion)),
            isDefault: true)
    }()
}
