/// A version of a source on a certain product and operating system.
package struct SourceRevisionRecord: Hashable, Sendable, Codable {
    /// The app or device.
    package var source: SourceRecord
    /// The app's version as the app writes it.
    package var version: String?
    /// The product type, such as `Watch6,7`.
    package var productType: String?
    /// The version of the operating system; 0.0.0 if unknown.
    package var operatingSystemVersion: OperatingSystemVersionRecord

    /// Creates a revision. Omitted properties are unknown.
    package init(
        source: SourceRecord, version: String? = nil, productType: String? = nil,
        operatingSystemVersion: OperatingSystemVersionRecord = .init()
    ) {
        self.source = source
        self.version = version
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }
}

/// The origin of a sample: an app or a device.
package struct SourceRecord: Hashable, Sendable, Codable {
    /// The identifier of the source, such as `com.example.tracker`.
    package var bundleIdentifier: String
    /// The name shown to people. It may change while the bundle identifier does not.
    package var name: String

    /// Creates a source.
    package init(bundleIdentifier: String, name: String) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
    }
}

/// The version of an operating system.
package struct OperatingSystemVersionRecord: Hashable, Sendable, Codable {
    /// The first number: 17 in 17.4.1.
    package var major: Int
    /// The second number: 4 in 17.4.1.
    package var minor: Int
    /// The third number: 1 in 17.4.1.
    package var patch: Int

    /// Creates a version; 0.0.0 represents an unknown version.
    package init(major: Int = 0, minor: Int = 0, patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }
}

/// The device that recorded a sample. Every property may be missing.
package struct DeviceRecord: Hashable, Sendable, Codable {
    /// The name shown to people.
    package var name: String?
    /// The manufacturer.
    package var manufacturer: String?
    /// The model, such as `Watch`.
    package var model: String?
    /// The hardware version, such as `Watch6,7`.
    package var hardwareVersion: String?
    /// The firmware version.
    package var firmwareVersion: String?
    /// The version of the software on the device.
    package var softwareVersion: String?
    /// An identifier that is only meaningful on the machine that wrote the sample.
    package var localIdentifier: String?
    /// The device identifier part of a unique device identification (UDI).
    package var udiDeviceIdentifier: String?

    /// Creates a device from its known properties.
    package init(
        name: String? = nil, manufacturer: String? = nil, model: String? = nil, hardwareVersion: String? = nil,
        firmwareVersion: String? = nil, softwareVersion: String? = nil, localIdentifier: String? = nil,
        udiDeviceIdentifier: String? = nil
    ) {
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.hardwareVersion = hardwareVersion
        self.firmwareVersion = firmwareVersion
        self.softwareVersion = softwareVersion
        self.localIdentifier = localIdentifier
        self.udiDeviceIdentifier = udiDeviceIdentifier
    }
}

/// The default priority of sources when overlapping data is merged, highest first.
///
/// The original does not publish its order. This one is: data typed in by hand, from any source, Apple Watch, iPhone,
/// then all other sources, the newest first.
package enum SourceRank: UInt8, Comparable, Sendable {
    /// An Apple Watch.
    case watch = 1
    /// An iPhone or iPod.
    case phone = 2
    /// Any other app or device.
    case other = 3

    /// The rank of a source revision and device, by product type and device model.
    package init(revision: SourceRevisionRecord, device: DeviceRecord?) {
        guard revision.isOfDevice(device) else {
            self = .other
            return
        }
        let product = revision.productType ?? device?.hardwareVersion ?? ""
        let model = device?.model ?? ""
        if product.hasPrefix("Watch") || model == "Watch" {
            self = .watch
        } else if product.hasPrefix("iPhone") || product.hasPrefix("iPod") || model == "iPhone" {
            self = .phone
        } else {
            self = .other
        }
    }

    package static func < (left: SourceRank, right: SourceRank) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension SourceRevisionRecord {
    /// Whether the source can be a watch or a phone, and not an app that runs on one: apps have the product type and
    /// often the device, too.
    fileprivate func isOfDevice(_ device: DeviceRecord?) -> Bool {
        source.bundleIdentifier.hasPrefix("com.apple.health.")
            // An archive has no identifiers, and people give their devices any name. The version of a device is that
            // of its system, the version of an app is its own.
            || (version != nil && version == device?.softwareVersion)
            // Posted by an app for the device that it names.
            || productType == "Watch" || productType == "iPhone"
    }
}
