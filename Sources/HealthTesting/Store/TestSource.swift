import HealthModel

/// Another application or device whose data a test plants.
public struct TestSource: Hashable, Sendable {
    /// The identity of the source, such as `com.example.scale`.
    public var bundleIdentifier: String
    /// The name people see.
    public var name: String
    /// The application's version, as it writes it.
    public var version: String?
    /// The hardware that wrote, such as `Watch6,7`.
    public var productType: String?
    /// Major, minor and patch number of the operating system that wrote.
    public var operatingSystemVersion: (major: Int, minor: Int, patch: Int) {
        get { (system.major, system.minor, system.patch) }
        set { system = OperatingSystemVersionRecord(major: newValue.major, minor: newValue.minor, patch: newValue.patch) }
    }

    private var system = OperatingSystemVersionRecord()

    /// Makes a source; what is not given is unknown.
    public init(
        bundleIdentifier: String, name: String, version: String? = nil, productType: String? = nil,
        operatingSystemVersion: (major: Int, minor: Int, patch: Int) = (0, 0, 0)
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        self.version = version
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }

    /// An Apple Watch.
    public static let watch = TestSource(
        bundleIdentifier: "com.apple.health.00000000-0000-0000-0000-0000000000AA", name: "Apple Watch",
        version: "10.3", productType: "Watch6,7", operatingSystemVersion: (10, 3, 0))

    /// An iPhone.
    public static let phone = TestSource(
        bundleIdentifier: "com.apple.health.00000000-0000-0000-0000-0000000000BB", name: "iPhone",
        version: "17.3", productType: "iPhone15,2", operatingSystemVersion: (17, 3, 0))

    /// The Health application, where people enter data by hand.
    public static let healthApplication = TestSource(
        bundleIdentifier: "com.apple.Health", name: "Health", version: "17.3", productType: "iPhone15,2",
        operatingSystemVersion: (17, 3, 0))

    var record: SourceRevisionRecord {
        SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: bundleIdentifier, name: name), version: version,
            productType: productType, operatingSystemVersion: system)
    }
}
