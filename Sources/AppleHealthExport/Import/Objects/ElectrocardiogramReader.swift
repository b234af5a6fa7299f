import HealthModel

/// An electrocardiogram's CSV file as an object.
///
/// The file does not say who wrote it: its source is the ECG application of the watch, at the software
/// version it gives. Everything above the voltages is kept as it stands there, so that the same file
/// comes out again; it names the person and is no part of the metadata an application sees.
enum ElectrocardiogramReader {
    static let identifier = "HKDataTypeIdentifierElectrocardiogram"
    /// The folder of the files in an archive.
    static let folder = "electrocardiograms"
    /// What stands above the voltages.
    static let headingKey = MetadataKey.archivedPrefix + "electrocardiogram.heading"
    /// The class in the file's own words.
    static let classificationKey = MetadataKey.archivedPrefix + "electrocardiogram.classification"
    /// The symptoms in the file's own words.
    static let symptomsKey = MetadataKey.archivedPrefix + "electrocardiogram.symptoms"
    /// How the file writes numbers, where it is not an English phone's way; see ``VoltageText/note``.
    static let numbersKey = MetadataKey.archivedPrefix + "electrocardiogram.numbers"
    /// The path of the file in the archive it came from.
    static let pathKey = MetadataKey.archivedPrefix + "electrocardiogram.path"

    static let sourceName = "ECG"
    /// Like lead I: the only lead there is.
    static let lead = 1

    static func read(_ bytes: [UInt8], path: String) throws(CompanionError) -> ObjectRecord {
        let file = try ElectrocardiogramFile(bytes)
        let heading = file.heading
        var metadata = Metadata([
            .init(key: pathKey, value: .string(path)),
            .init(key: headingKey, value: .string(file.headingText)),
            .init(key: classificationKey, value: .string(heading.classification)),
        ])
        if !heading.symptoms.isEmpty {
            metadata.entries.append(.init(key: symptomsKey, value: .string(heading.symptoms)))
        }
        if let note = file.style.note { metadata.entries.append(.init(key: numbersKey, value: .string(note))) }

        var document = DocumentBody()
        document[ElectrocardiogramDocument.classification] =
            .integer(Int64(ElectrocardiogramClass(heading.classification).rawValue))
        // Not set 0, none 1, present 2.
        document[ElectrocardiogramDocument.symptomsStatus] =
            .integer(heading.symptoms.isEmpty ? 0 : ElectrocardiogramClass.saysNone(heading.symptoms) ? 1 : 2)
        document[ElectrocardiogramDocument.samplingFrequency] =
            .quantity(QuantityRecord(heading.frequency, unit: "Hz"))
        if let text = heading.additions[ElectrocardiogramWriter.averageHeartRate],
            let rate = NumberText.parse(text), rate > 0, rate.isFinite
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
                name: heading.additions[ElectrocardiogramWriter.source] ?? sourceName,
                version: heading.softwareVersion, device: device),
            device: device, metadata: metadata, body: .document(document))
    }

    /// The device with this model identifier.
    private static func device(_ model: String) -> DeviceRecord {
        guard model.hasPrefix("Watch") else { return DeviceRecord(hardwareVersion: model) }
        return DeviceRecord(
            name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: model)
    }
}
