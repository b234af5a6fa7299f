import HealthFiles
import HealthModel

/// Writes an electrocardiogram as a CSV file: the counterpart of ``ElectrocardiogramReader``.
///
/// An imported electrocardiogram has the original lines above its voltages, any other the lines that iOS writes in
/// English. Content that Apple's files have no line for follows the sample rate in additional lines.
enum ElectrocardiogramWriter {
    static let averageHeartRate = "Average Heart Rate"
    static let source = "Source"
    /// The names of the additional lines.
    static let additions: Set<String> = [averageHeartRate, source]
    /// Apple's files are in microvolts.
    private static let unitExponent = -6

    /// The path of the file: the path in the archive it was imported from, or one made of the local day. It may not be
    /// unique; see ``AuxiliaryFileNames``.
    static func path(of record: ObjectRecord, offset: Int) -> String {
        let folder = "/\(ElectrocardiogramReader.folder)/"
        if let path = record.metadata.text(ElectrocardiogramReader.pathKey), path.hasPrefix(folder),
            path.dropFirst(folder.count).count > 0, !path.dropFirst(folder.count).contains("/"),
            (try? AuxiliaryPath(path)) != nil
        {
            return path
        }
        return "\(folder)ecg_\(FileNameClock(record.start, offset: offset).day).csv"
    }

    /// Whether a record has voltages; a file without any could not be read.
    static func hasVoltages(_ record: ObjectRecord) -> Bool {
        voltages(of: record)?.isEmpty == false
    }

    private static func voltages(of record: ObjectRecord) -> [Double]? {
        guard case .document(let document) = record.body else { return nil }
        return document.series[ElectrocardiogramDocument.voltages(lead: ElectrocardiogramReader.lead)]
    }

    /// The file; `nil` for a record without voltages.
    ///
    /// - Parameter offset: The offset of the archive's dates from UTC in seconds.
    static func file(_ record: ObjectRecord, offset: Int) -> [UInt8]? {
        guard case .document(let document) = record.body, let volts = voltages(of: record) else { return nil }
        let preserved = record.metadata.text(ElectrocardiogramReader.headingKey)
        let heading = preserved ?? heading(record, document, offset: offset)
        let exponent = preserved.flatMap { try? ElectrocardiogramHeading($0).unitExponent } ?? unitExponent
        let style = VoltageText(format: record.metadata.text(ElectrocardiogramReader.numbersKey))
        let lineEnd = heading.utf8.contains(0x0D) ? "\r\n" : "\n"
        var bytes = Array(heading.utf8)
        bytes.reserveCapacity(bytes.count + volts.count * 10)
        for value in volts {
            style.append(value, exponent: exponent, to: &bytes)
            bytes.append(contentsOf: lineEnd.utf8)
        }
        return bytes
    }

    private static func heading(_ record: ObjectRecord, _ document: DocumentBody, offset: Int) -> String {
        func number(_ name: String) -> Int? {
            if case .integer(let number)? = document[name] { Int(exactly: number) } else { nil }
        }
        func quantity(_ name: String) -> Double? {
            if case .quantity(let quantity)? = document[name] { quantity.value } else { nil }
        }
        let kind = number(ElectrocardiogramDocument.classification).flatMap(ElectrocardiogramClass.init(rawValue:))
        let symptoms = number(ElectrocardiogramDocument.symptomsStatus)
        var lines = [
            "Name,", "Date of Birth,", "Recorded Date,\(ArchiveDate.print(record.start, offset: offset))",
            "Classification,\((kind ?? .notSet).english)",
            "Symptoms,\(symptoms == 1 ? "None" : symptoms == 2 ? "Present" : "")",
            "Software Version,\(quoted(record.revision?.version ?? ""))",
            "Device,\(quoted(record.device?.hardwareVersion ?? record.revision?.productType ?? ""))",
            "Sample Rate,\(DecimalText.print(quantity(ElectrocardiogramDocument.samplingFrequency) ?? 512)) hertz",
        ]
        if let rate = quantity(ElectrocardiogramDocument.averageHeartRate) {
            lines.append("\(averageHeartRate),\(DecimalText.print(rate))")
        }
        if let name = record.revision?.source.name, name != ElectrocardiogramReader.sourceName {
            lines.append("\(source),\(quoted(name))")
        }
        lines += ["", "", "Lead,Lead I", "Unit,µV", "", ""]
        return lines.joined(separator: "\n")
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        let oneLine = String(text.map { $0.isNewline ? " " : $0 })
        return "\"\(oneLine.replacing("\"", with: "\"\""))\""
    }
}
