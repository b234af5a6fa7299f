import HealthFiles
import HealthModel

/// Reads an electrocardiogram's CSV file as an object.
///
/// The file has no source, so the source is the ECG app of the watch with the file's software version. The text above
/// the voltages is kept unchanged for export; it contains the person's name and is not part of the metadata that
/// applications see.
enum ElectrocardiogramReader {
    static let identifier = "HKDataTypeIdentifierElectrocardiogram"
    /// The folder of the files in an archive.
    static let folder = "electrocardiograms"
    /// The metadata key of the text above the voltages.
    static let headingKey = MetadataKey.archivedPrefix + "electrocardiogram.heading"
    /// The metadata key of the classification in the language of the file.
    static let classificationKey = MetadataKey.archivedPrefix + "electrocardiogram.classification"
    /// The metadata key of the symptoms in the language of the file.
    static let symptomsKey = MetadataKey.archivedPrefix + "electrocardiogram.symptoms"
    /// The metadata key of the number format, if it is not English; see ``VoltageText/format``.
    static let numbersKey = MetadataKey.archivedPrefix + "electrocardiogram.numbers"
    /// The metadata key of the file's path in the archive.
    static let pathKey = MetadataKey.archivedPrefix + "electrocardiogram.path"

    static let sourceName = "ECG"
    /// The raw value of the only lead, which is like lead I.
    static let lead = 1

    /// Returns whether an electrocardiogram was read from a file of an archive, which can be written again as it was.
    static func isFromFile(_ record: ObjectRecord) -> Bool {
        record.metadata.entries.contains { $0.key == headingKey }
    }

    static func read(_ bytes: [UInt8], path: String) throws(AuxiliaryFileError) -> ObjectRecord {
        let file = try ElectrocardiogramFile(bytes)
        let heading = file.heading
        var metadata = Metadata([
            .init(key: pathKey, value: .string(path)),
            .init(key: headingKey, value: .string(file.headingText)),
            .init(key: classificationKey, value: .string(heading.classification)),
        ])
        if !heading.symptoms.isEmpty { metadata.set(symptomsKey, .string(heading.symptoms)) }
        metadata.set(numbersKey, file.style.format.map { .string($0) })

        var document = DocumentBody()
        document[ElectrocardiogramDocument.classification] =
            .integer(Int64((ElectrocardiogramClass(heading.classification) ?? .unrecognized).rawValue))
        // Not set 0, none 1, present 2.
        document[ElectrocardiogramDocument.symptomsStatus] =
            .integer(heading.symptoms.isEmpty ? 0 : ElectrocardiogramClass.meansNone(heading.symptoms) ? 1 : 2)
        document[ElectrocardiogramDocument.samplingFrequency] =
            .quantity(QuantityRecord(heading.frequency, unit: "Hz"))
        if let text = heading.additions[ElectrocardiogramWriter.averageHeartRate],
            let rate = DecimalText.parse(text), rate > 0, rate.isFinite
        {
            document[ElectrocardiogramDocument.averageHeartRate] = .quantity(QuantityRecord(rate, unit: "count/min"))
        }
        document.series[ElectrocardiogramDocument.times] = file.volts.indices.map { Double($0) / heading.frequency }
        document.series[ElectrocardiogramDocument.voltages(lead: lead)] = file.volts

        let device = heading.device.map(device)
        return ObjectRecord(
            type: TypeCatalog.description(for: identifier)!.code, start: heading.start,
            end: heading.start + Double(file.volts.count) / heading.frequency,
            revision: SourceText.revision(
                name: heading.additions[ElectrocardiogramWriter.source] ?? sourceName, version: heading.softwareVersion,
                device: device), device: device, metadata: metadata, body: .document(document))
    }

    /// Whether the classification of an electrocardiogram of an archive has a name that isn't known.
    static func hasUnknownClass(_ record: ObjectRecord) -> Bool {
        guard case .string(let text) = record.metadata[classificationKey] else { return false }
        return ElectrocardiogramClass(text) == nil
    }

    /// The device with this model identifier.
    private static func device(_ model: String) -> DeviceRecord {
        guard model.hasPrefix("Watch") else { return DeviceRecord(hardwareVersion: model) }
        return DeviceRecord(name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: model)
    }
}
