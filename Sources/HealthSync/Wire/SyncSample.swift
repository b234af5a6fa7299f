public import Foundation

/// One sample in a batch, with HealthKit's property names.
///
/// Which properties are present depends on the type: ``quantity`` and ``unit`` for a quantity, ``value`` for a
/// category, the properties of ``SyncWorkout`` for a workout, ``properties`` and ``series`` for all others.
public struct SyncSample: Codable, Hashable, Sendable {
    /// The identity, which the receiver keeps.
    public var uuid: UUID
    /// The identifier of the type, such as `HKQuantityTypeIdentifierHeartRate`.
    public var type: String
    /// The start.
    public var startDate: SyncDate
    /// The end, at or after ``startDate``.
    public var endDate: SyncDate

    /// A quantity, in ``unit``.
    public var quantity: Double?
    /// The unit string of ``quantity`` and of the values of a quantity series.
    public var unit: String?
    /// The raw value of a category.
    public var value: Int?

    /// The name of the source.
    public var source: String
    /// The identifier of the source, such as `com.example.tracker`.
    public var bundleIdentifier: String
    /// The version of the source.
    public var sourceVersion: String?
    /// The product type, such as `Watch6,7`.
    public var productType: String?
    /// The version of the operating system, such as `17.4.1`; missing if unknown.
    public var operatingSystemVersion: String?
    /// The device that recorded the sample.
    public var deviceDetails: SyncDeviceDetails?
    /// The metadata by key.
    public var metadata: [String: SyncValue]?

    /// The contents of a workout, whose properties are beside the others.
    public var workout: SyncWorkout?
    /// The properties of a sample of any other type, such as `classification` of an electrocardiogram.
    public var properties: [String: SyncValue]?
    /// Columns of numbers: the locations of a route, the voltages of an electrocardiogram, the quantities of a series.
    public var series: [String: SyncColumn]?
    /// The samples that belong to this one: the objects of a correlation, the samples and routes of a workout, the
    /// symptoms of an electrocardiogram. They may be in other batches.
    public var members: [UUID]?

    /// Creates a sample of which only the common properties are known.
    public init(
        uuid: UUID, type: String, startDate: SyncDate, endDate: SyncDate, source: String, bundleIdentifier: String
    ) {
        self.uuid = uuid
        self.type = type
        self.startDate = startDate
        self.endDate = endDate
        self.source = source
        self.bundleIdentifier = bundleIdentifier
    }

    private enum CodingKeys: String, CodingKey {
        case uuid, type, startDate, endDate, quantity, unit, value, source, bundleIdentifier, sourceVersion, productType
        case operatingSystemVersion, deviceDetails, metadata, properties, series, members
        case workoutActivityType
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        uuid = try container.decode(UUID.self, forKey: .uuid)
        type = try container.decode(String.self, forKey: .type)
        startDate = try container.decode(SyncDate.self, forKey: .startDate)
        endDate = try container.decode(SyncDate.self, forKey: .endDate)
        quantity = try container.decodeIfPresent(Double.self, forKey: .quantity)
        unit = try container.decodeIfPresent(String.self, forKey: .unit)
        value = try container.decodeIfPresent(Int.self, forKey: .value)
        source = try container.decode(String.self, forKey: .source)
        bundleIdentifier = try container.decode(String.self, forKey: .bundleIdentifier)
        sourceVersion = try container.decodeIfPresent(String.self, forKey: .sourceVersion)
        productType = try container.decodeIfPresent(String.self, forKey: .productType)
        operatingSystemVersion = try container.decodeIfPresent(String.self, forKey: .operatingSystemVersion)
        deviceDetails = try container.decodeIfPresent(SyncDeviceDetails.self, forKey: .deviceDetails)
        metadata = try container.decodeIfPresent([String: SyncValue].self, forKey: .metadata)
        workout = container.contains(.workoutActivityType) ? try SyncWorkout(from: decoder) : nil
        properties = try container.decodeIfPresent([String: SyncValue].self, forKey: .properties)
        series = try container.decodeIfPresent([String: SyncColumn].self, forKey: .series)
        members = try container.decodeIfPresent([UUID].self, forKey: .members)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(uuid, forKey: .uuid)
        try container.encode(type, forKey: .type)
        try container.encode(startDate, forKey: .startDate)
        try container.encode(endDate, forKey: .endDate)
        try container.encodeIfPresent(quantity, forKey: .quantity)
        try container.encodeIfPresent(unit, forKey: .unit)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encode(source, forKey: .source)
        try container.encode(bundleIdentifier, forKey: .bundleIdentifier)
        try container.encodeIfPresent(sourceVersion, forKey: .sourceVersion)
        try container.encodeIfPresent(productType, forKey: .productType)
        try container.encodeIfPresent(operatingSystemVersion, forKey: .operatingSystemVersion)
        try container.encodeIfPresent(deviceDetails, forKey: .deviceDetails)
        try container.encodeIfPresent(metadata, forKey: .metadata)
        try workout?.encode(to: encoder)
        try container.encodeIfPresent(properties, forKey: .properties)
        try container.encodeIfPresent(series, forKey: .series)
        try container.encodeIfPresent(members, forKey: .members)
    }
}

/// The device that recorded a sample. Every property may be missing.
public struct SyncDeviceDetails: Codable, Hashable, Sendable {
    /// The name shown to people.
    public var name: String?
    /// The manufacturer.
    public var manufacturer: String?
    /// The model, such as `Watch`.
    public var model: String?
    /// The hardware version, such as `Watch6,7`.
    public var hardwareVersion: String?
    /// The firmware version.
    public var firmwareVersion: String?
    /// The version of the software on the device.
    public var softwareVersion: String?
    /// An identifier that is only meaningful on the phone.
    public var localIdentifier: String?
    /// The device identifier part of a unique device identification (UDI).
    public var udiDeviceIdentifier: String?

    /// Creates a device of which nothing is known.
    public init() {}
}

extension SyncColumn {
    /// The names of the columns of a quantity series, whose values are in the sample's unit.
    public enum Quantities {
        /// Seconds since 2001-01-01 00:00:00 UTC, ascending.
        public static let starts = "starts"
        /// Seconds since 2001-01-01 00:00:00 UTC.
        public static let ends = "ends"
        /// The quantities.
        public static let values = "values"
    }
}
