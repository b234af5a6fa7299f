/// A source at one version, on one product, under one operating system.
public struct SourceRevisionRecord: Hashable, Sendable, Codable {
    /// The application or device.
    public var source: SourceRecord
    /// The application's version, as it writes it.
    public var version: String?
    /// The hardware, such as `Watch6,7`.
    public var productType: String?
    /// Major, minor and patch number of the operating system; zeros when unknown.
    public var operatingSystemVersion: OperatingSystemVersionRecord

    /// Makes a revision; what is not given is unknown.
    public init(
        source: SourceRecord, version: String? = nil, productType: String? = nil,
        operatingSystemVersion: OperatingSystemVersionRecord = .init()
    ) {
        self.source = source
        self.version = version
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }
}
