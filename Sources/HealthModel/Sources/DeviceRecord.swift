/// The device a sample was measured with; every property may be missing.
public struct DeviceRecord: Hashable, Sendable, Codable {
    /// The name a person would see.
    public var name: String?
    /// Who made the device.
    public var manufacturer: String?
    /// The model, such as `Watch`.
    public var model: String?
    /// The revision of the hardware, such as `Watch6,7`.
    public var hardwareVersion: String?
    /// The version of the firmware.
    public var firmwareVersion: String?
    /// The version of the software on the device.
    public var softwareVersion: String?
    /// A name of the device that only the machine that wrote the sample understands.
    public var localIdentifier: String?
    /// The device part of a medical device's unique identification.
    public var udiDeviceIdentifier: String?

    /// Makes a device of what is known of it.
    public init(
        name: String? = nil, manufacturer: String? = nil, model: String? = nil,
        hardwareVersion: String? = nil, firmwareVersion: String? = nil,
        softwareVersion: String? = nil, localIdentifier: String? = nil,
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
