import Foundation
package import HealthModel

// Quantities, sources, revisions and devices: each with its record and back.

extension HKQuantity {
    /// The quantity as the model keeps it: the number as given, with its unit string.
    package var record: QuantityRecord { QuantityRecord(value, unit: unit.unitString) }

    /// The quantity of a record; `nil` when its unit does not parse.
    convenience init?(_ record: QuantityRecord) {
        self.init(record.value, unit: record.unit)
    }

    /// A number with a unit string; `nil` when the string does not parse.
    convenience init?(_ value: Double, unit: String) {
        guard let unit = HKUnit.parsed(unit) else { return nil }
        self.init(unit: unit, doubleValue: value)
    }

    /// The quantity of a record. A unit string that does not parse, which only a store written by a
    /// later version can hold, becomes the unit without dimension.
    convenience init(record: QuantityRecord) {
        self.init(unit: HKUnit.parsed(record.unit) ?? HKUnit.make(.null), doubleValue: record.value)
    }
}

extension HKSource {
    var record: SourceRecord { SourceRecord(bundleIdentifier: fields.bundleIdentifier, name: fields.name) }

    convenience init(_ record: SourceRecord) {
        self.init(Fields(bundleIdentifier: record.bundleIdentifier, name: record.name))
    }
}

extension HKSourceRevision {
    var record: SourceRevisionRecord {
        SourceRevisionRecord(
            source: source.record, version: fields.version, productType: fields.productType,
            operatingSystemVersion: fields.operatingSystemVersion.record)
    }

    convenience init(_ record: SourceRevisionRecord) {
        self.init(
            Fields(
                source: HKSource.Fields(bundleIdentifier: record.source.bundleIdentifier, name: record.source.name),
                version: record.version, productType: record.productType,
                operatingSystemVersion: Fields.SystemVersion(record.operatingSystemVersion)))
    }

    /// The revision as something to look for: the `HKSourceRevisionAny…` constants match any value.
    var pattern: RevisionPattern {
        RevisionPattern(
            bundleIdentifier: fields.source.bundleIdentifier,
            version: fields.version == HKSourceRevisionAnyVersion ? .any : .exactly(fields.version),
            productType: fields.productType == HKSourceRevisionAnyProductType ? .any : .exactly(fields.productType),
            operatingSystemVersion: fields.operatingSystemVersion == .any
                ? .any : .exactly(fields.operatingSystemVersion.record))
    }
}

extension HKSourceRevision.Fields.SystemVersion {
    fileprivate var record: OperatingSystemVersionRecord {
        OperatingSystemVersionRecord(major: major, minor: minor, patch: patch)
    }

    fileprivate init(_ record: OperatingSystemVersionRecord) {
        self.init(major: record.major, minor: record.minor, patch: record.patch)
    }
}

extension HKDevice {
    var record: DeviceRecord {
        DeviceRecord(
            name: fields.name, manufacturer: fields.manufacturer, model: fields.model,
            hardwareVersion: fields.hardwareVersion, firmwareVersion: fields.firmwareVersion,
            softwareVersion: fields.softwareVersion, localIdentifier: fields.localIdentifier,
            udiDeviceIdentifier: fields.udiDeviceIdentifier)
    }

    convenience init(_ record: DeviceRecord) {
        self.init(
            Fields(
                name: record.name, manufacturer: record.manufacturer, model: record.model,
                hardwareVersion: record.hardwareVersion, firmwareVersion: record.firmwareVersion,
                softwareVersion: record.softwareVersion, localIdentifier: record.localIdentifier,
                udiDeviceIdentifier: record.udiDeviceIdentifier))
    }
}
