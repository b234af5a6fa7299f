/// The properties of a device that a filter can name. Raw values are the keys applications use.
public enum DeviceProperty: String, Hashable, Sendable, CaseIterable {
    /// The name a person would see.
    case name
    /// Who made the device.
    case manufacturer
    /// The model, such as `Watch`.
    case model
    /// The revision of the hardware, such as `Watch6,7`.
    case hardwareVersion = "hardware"
    /// The version of the firmware.
    case firmwareVersion = "firmware"
    /// The version of the software on the device.
    case softwareVersion = "software"
    /// A name of the device that only the machine that wrote the sample understands.
    case localIdentifier
    /// The device part of a medical device's unique identification.
    case udiDeviceIdentifier = "UDI_device_identifier"

    /// The property's value on a device.
    public func value(of device: DeviceRecord?) -> String? {
        switch self {
        case .name: device?.name
        case .manufacturer: device?.manufacturer
        case .model: device?.model
        case .hardwareVersion: device?.hardwareVersion
        case .firmwareVersion: device?.firmwareVersion
        case .softwareVersion: device?.softwareVersion
        case .localIdentifier: device?.localIdentifier
        case .udiDeviceIdentifier: device?.udiDeviceIdentifier
        }
    }
}
