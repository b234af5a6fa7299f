import Foundation
import HealthKit

/// Converts metadata and devices to what a batch contains.
enum MetadataValues {
    /// The values of metadata by key; `nil` if there are none. Values of other classes than HealthKit allows are left
    /// out.
    static func values(of metadata: [String: Any]?, _ units: inout QuantityUnits) -> [String: SyncValue]? {
        guard let metadata, !metadata.isEmpty else { return nil }
        var values: [String: SyncValue] = [:]
        for (key, value) in metadata { values[key] = self.value(of: value, &units) }
        return values.isEmpty ? nil : values
    }

    private static func value(of given: Any, _ units: inout QuantityUnits) -> SyncValue? {
        switch given {
        case let text as String: .string(text)
        case let quantity as HKQuantity: .quantity(units.parts(of: quantity))
        case let date as Date: .date(SyncDate(date))
        case let number as NSNumber: value(of: number)
        default: nil
        }
    }

    private static func value(of number: NSNumber) -> SyncValue {
        // The two Booleans are the only instances of their class; their type letter is also that of small integers.
        if number === yes || number === no { return .bool(number.boolValue) }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"):
            return .double(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
            return .double(number.doubleValue)
        default:
            return .integer(number.int64Value)
        }
    }

    private static let yes = NSNumber(value: true)
    private static let no = NSNumber(value: false)
}

extension SyncDeviceDetails {
    /// The properties of a device.
    init(_ device: HKDevice) {
        self.init()
        name = device.name
        manufacturer = device.manufacturer
        model = device.model
        hardwareVersion = device.hardwareVersion
        firmwareVersion = device.firmwareVersion
        softwareVersion = device.softwareVersion
        localIdentifier = device.localIdentifier
        udiDeviceIdentifier = device.udiDeviceIdentifier
    }
}
