public import Foundation
import HealthModel

/// The device that measured a sample. Any property may be `nil`.
// Unchecked: the one stored property is a constant value; the compiler checks only final classes.
open class HKDevice: _ValueObject, @unchecked Sendable {
    final let record: DeviceRecord

    init(_ record: DeviceRecord) {
        self.record = record
    }

    /// Creates a device; pass `nil` for what is unknown.
    public init(
        name: String?, manufacturer: String?, model: String?, hardwareVersion: String?, firmwareVersion: String?,
        softwareVersion: String?, localIdentifier: String?, udiDeviceIdentifier UDIDeviceIdentifier: String?
    ) {
        record = DeviceRecord(
            name: name, manufacturer: manufacturer, model: model, hardwareVersion: hardwareVersion,
            firmwareVersion: firmwareVersion, softwareVersion: softwareVersion,
            localIdentifier: localIdentifier, udiDeviceIdentifier: UDIDeviceIdentifier)
    }

    /// The machine this program runs on. Its host name is left out because it often contains a person's name.
    open class func local() -> HKDevice { thisMachine }

    /// The name its owner sees.
    open var name: String? { record.name }
    /// The manufacturer.
    open var manufacturer: String? { record.manufacturer }
    /// The model, such as `Watch`.
    open var model: String? { record.model }
    /// The hardware version, such as `Watch6,7`.
    open var hardwareVersion: String? { record.hardwareVersion }
    /// The firmware version.
    open var firmwareVersion: String? { record.firmwareVersion }
    /// The software version.
    open var softwareVersion: String? { record.softwareVersion }
    /// An identifier that only the application that wrote the sample understands.
    open var localIdentifier: String? { record.localIdentifier }
    /// The device identifier of the unique device identification (UDI).
    open var udiDeviceIdentifier: String? { record.udiDeviceIdentifier }

    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(DeviceRecord.self, from: coder) else { return nil }
        self.record = record
    }

    override var archivedRecord: any Codable & Hashable { record }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKDevice)?.record == record
    }

    open override var hash: Int { record.hashValue }

    open override var description: String {
        let fields: [(String, String?)] = [
            ("name", name), ("manufacturer", manufacturer), ("model", model), ("hardware", hardwareVersion),
            ("firmware", firmwareVersion), ("software", softwareVersion), ("localIdentifier", localIdentifier),
            ("UDIDeviceIdentifier", udiDeviceIdentifier),
        ]
        let known = fields.compactMap { field in field.1.map { "\(field.0):\($0)" } }
        return "<" + (["<HKDevice>"] + known).joined(separator: ", ") + ">"
    }
}

// MARK: - This machine

extension HKDevice {
    fileprivate static let thisMachine: HKDevice = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return HKDevice(
            DeviceRecord(
                name: systemName, model: systemName, hardwareVersion: machine,
                softwareVersion: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"))
    }()

    /// The processor architecture, such as `x86_64`.
    static let machine: String = {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "unknown"
        #endif
    }()

    private static let systemName: String = {
        #if os(Linux)
            "Linux"
        #else
            "Computer"
        #endif
    }()
}
