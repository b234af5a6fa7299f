public import Foundation
import HealthModel

/// The device a sample was measured with. Every property may be missing.
// Unchecked: the one stored property is a constant value; the compiler checks only final classes.
open class HKDevice: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    final let record: DeviceRecord

    init(_ record: DeviceRecord) {
        self.record = record
    }

    /// A device, as far as it is known.
    public init(
        name: String?, manufacturer: String?, model: String?, hardwareVersion: String?,
        firmwareVersion: String?, softwareVersion: String?, localIdentifier: String?,
        udiDeviceIdentifier UDIDeviceIdentifier: String?
    ) {
        record = DeviceRecord(
            name: name, manufacturer: manufacturer, model: model, hardwareVersion: hardwareVersion,
            firmwareVersion: firmwareVersion, softwareVersion: softwareVersion,
            localIdentifier: localIdentifier, udiDeviceIdentifier: UDIDeviceIdentifier)
    }

    /// The name its owner sees.
    open var name: String? { record.name }
    /// Who made it.
    open var manufacturer: String? { record.manufacturer }
    /// What it is, such as `Watch`.
    open var model: String? { record.model }
    /// The hardware's version, such as `Watch6,7`.
    open var hardwareVersion: String? { record.hardwareVersion }
    /// The firmware's version.
    open var firmwareVersion: String? { record.firmwareVersion }
    /// The software's version.
    open var softwareVersion: String? { record.softwareVersion }
    /// What the application calls it.
    open var localIdentifier: String? { record.localIdentifier }
    /// The device identifier part of its unique device identification (UDI).
    open var udiDeviceIdentifier: String? { record.udiDeviceIdentifier }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(DeviceRecord.self, from: coder) else { return nil }
        self.record = record
    }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKDevice)?.record == record
    }

    open override var hash: Int { record.hashValue }

    open override var description: String {
        let fields: [(String, String?)] = [
            ("name", name), ("manufacturer", manufacturer), ("model", model),
            ("hardware", hardwareVersion), ("firmware", firmwareVersion),
            ("software", softwareVersion), ("localIdentifier", localIdentifier),
            ("UDIDeviceIdentifier", udiDeviceIdentifier),
        ]
        let known = fields.compactMap { field in field.1.map { "\(field.0):\($0)" } }
        return "<" + (["<HKDevice>"] + known).joined(separator: ", ") + ">"
    }
}
