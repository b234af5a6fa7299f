import Foundation
import HealthFiles
import HealthModel

/// The contents of an electrocardiogram's file: the lines above the voltages, and the voltages.
struct ElectrocardiogramFile: Equatable {
    /// The unchanged text before the first voltage.
    var headingText: String
    var heading: ElectrocardiogramHeading
    /// The voltages in volts; NaN for an empty line between two voltages.
    var volts: [Double]
    /// The number format of the voltages.
    var style: VoltageText

    /// The maximum number of voltages, more than an hour at the usual rate.
    static let maximumCount = 1 << 21

    /// Reads a file. Throws for bytes that are not an electrocardiogram.
    init(_ bytes: [UInt8]) throws(AuxiliaryFileError) {
        let lines = Self.lines(bytes)
        guard let first = lines.firstIndex(where: { Self.isNumber(bytes, $0) }) else {
            throw AuxiliaryFileError("its file contains no voltages")
        }
        guard lines[first].lowerBound < 1 << 16 else {
            throw AuxiliaryFileError("its file is not an electrocardiogram")
        }
        headingText = String(decoding: bytes[..<lines[first].lowerBound], as: UTF8.self)
        heading = try ElectrocardiogramHeading(headingText)
        let exponent = heading.unitExponent

        var volts: [Double] = []
        volts.reserveCapacity(min(lines.count - first, Self.maximumCount))
        var style = VoltageText()
        var decimals: Int?
        var areEqual = true
        var empty = 0
        for line in lines[first...] {
            if line.isEmpty {
                empty += 1
                continue
            }
            if empty > 0, volts.count + empty <= Self.maximumCount {
                volts.append(contentsOf: repeatElement(.nan, count: empty))
            }
            empty = 0
            guard volts.count < Self.maximumCount else {
                throw AuxiliaryFileError("its file has more than \(Self.maximumCount) voltages")
            }
            let plain = bytes.withUnsafeBufferPointer {
                VoltageText.parsePlain(UnsafeBufferPointer(rebasing: $0[line]), exponent: exponent)
            }
            if let plain {
                volts.append(plain.value)
                areEqual = areEqual && (decimals == nil || decimals == plain.decimals)
                decimals = plain.decimals
                if plain.separator == UInt8(ascii: ",") { style.separator = "," }
                continue
            }
            let text = String(decoding: bytes[line], as: UTF8.self)
            guard let value = VoltageText.parse(text, exponent: exponent), value.isFinite else {
                throw AuxiliaryFileError("its file contains a line that is not a voltage")
            }
            volts.append(value)
            if text.contains("\u{2212}") { style.minus = "\u{2212}" }
            let shown = VoltageText.plain(text)?.split(separator: ".", maxSplits: 1).dropFirst().first?.utf8.count ?? 0
            areEqual = areEqual && (decimals == nil || decimals == shown)
            decimals = shown
            if text.contains(",") { style.separator = "," }
        }
        style.decimals = areEqual ? decimals : nil
        self.style = style
        self.volts = volts
    }

    /// The lines without line breaks.
    private static func lines(_ bytes: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            while start < buffer.count {
                let end = TagScanner.find(0x0A, base, from: start, end: buffer.count)
                let isPair = end > start && buffer[end - 1] == 0x0D
                lines.append(start..<(isPair ? end - 1 : end))
                start = end + 1
            }
        }
        return lines
    }

    /// Whether a line is a number. All lines above the voltages begin with a word.
    private static func isNumber(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
        guard !line.isEmpty, line.count <= 64 else { return false }
        let isPlain = bytes.withUnsafeBufferPointer {
            VoltageText.parsePlain(UnsafeBufferPointer(rebasing: $0[line]), exponent: 0) != nil
        }
        return isPlain || VoltageText.plain(String(decoding: bytes[line], as: UTF8.self)) != nil
    }
}

/// The lines above the voltages of an electrocardiogram's file.
///
/// Their names are localized, so they are identified by form and order, which are the same in every language: name,
/// date of birth, recorded date, classification, symptoms, software version, device, sample rate; then, after empty
/// lines, lead and unit.
struct ElectrocardiogramHeading: Equatable {
    /// The start of the recording, in seconds since 2001.
    var start: Double
    /// The classification in the language of the file.
    var classification: String
    /// The symptoms in the language of the file; may be empty.
    var symptoms: String
    var softwareVersion: String?
    /// The model identifier of the device, such as `Watch6,7`.
    var device: String?
    /// The sample rate in hertz.
    var frequency: Double
    /// The unit of the voltages as a power of ten: -6 for microvolts.
    var unitExponent: Int
    /// Values that Apple's files do not have, by name; see ``ElectrocardiogramWriter``.
    var additions: [String: String] = [:]

    /// Reads the lines above the first voltage. Throws if they lack the recording date or the sample rate.
    init(_ text: String) throws(AuxiliaryFileError) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(Self.field)
        guard let dateLine = lines.firstIndex(where: { ArchiveDate.parse($0.value) != nil }),
            let start = ArchiveDate.parse(lines[dateLine].value)
        else { throw AuxiliaryFileError("its file has no recording date") }
        self.start = start
        let rates = lines.indices.dropFirst(dateLine + 1).lazy.compactMap { index in
            Self.frequency(lines[index].value).map { (index, $0) }
        }
        guard let (rateLine, frequency) = rates.first(where: { $0.1 > 0 && $0.1 <= 1_000_000 }) else {
            throw AuxiliaryFileError("its file has no sample rate")
        }
        self.frequency = frequency
        func value(_ index: Int) -> String {
            index > dateLine && index < rateLine ? lines[index].value : ""
        }
        classification = value(dateLine + 1)
        // Counted from the end, in case a later version inserts lines.
        device = rateLine - 1 > dateLine + 1 ? Self.nonEmpty(value(rateLine - 1)) : nil
        softwareVersion = rateLine - 2 > dateLine + 1 ? Self.nonEmpty(value(rateLine - 2)) : nil
        symptoms = rateLine - 3 > dateLine + 1 ? value(dateLine + 2) : ""
        let units = lines[(rateLine + 1)...].lazy.compactMap { Self.unitExponent($0.value) }
        unitExponent = units.first ?? -6
        for line in lines[(rateLine + 1)...] where ElectrocardiogramWriter.additions.contains(line.name) {
            additions[line.name] = line.value
        }
    }

    private static func nonEmpty(_ text: String) -> String? {
        text.isEmpty ? nil : text
    }

    /// The name and value of a line. The value can contain commas, with or without quotes.
    private static func field(_ line: Substring) -> (name: String, value: String) {
        guard let comma = line.firstIndex(of: ",") else { return (String(line), "") }
        var value = line[line.index(after: comma)...]
        if value.count >= 2, value.first == "\"", value.last == "\"" {
            value = value.dropFirst().dropLast()
            return (String(line[..<comma]), String(value.replacing("\"\"", with: "\"")))
        }
        return (String(line[..<comma]), String(value))
    }

    /// The number in `512 hertz`, `512.844 hertz`, `512,844 Hz` or `512ヘルツ`; `nil` without a unit after it.
    private static func frequency(_ text: String) -> Double? {
        let end = text.firstIndex { !$0.isNumber && !".,٫".contains($0) } ?? text.endIndex
        guard text[end...].contains(where: \.isLetter) else { return nil }
        return VoltageText.parse(text[..<end], exponent: 0)
    }

    /// The exponent of a unit; both characters that look like µ are in use.
    private static func unitExponent(_ text: String) -> Int? {
        switch text {
        case "µV", "μV", "uV", "мкВ": -6
        case "mV", "мВ": -3
        case "V", "В": 0
        default: nil
        }
    }
}
