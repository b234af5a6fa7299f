import HealthModel

/// What stands above the voltages of an electrocardiogram's file: a line a fact, the names of the facts
/// in the language of the phone. So the facts are known by what they look like and by their order, which
/// is the same in every language: name, date of birth, recorded date, classification, symptoms, software
/// version, device, sample rate; then, after empty lines, lead and unit.
struct ElectrocardiogramHeading: Equatable {
    /// When the recording began, in seconds since 2001.
    var start: Double
    /// The class in the file's words.
    var classification: String
    /// The symptoms in the file's words; empty where none are named.
    var symptoms: String
    var softwareVersion: String?
    /// The model identifier of the device, such as `Watch6,7`.
    var device: String?
    /// Measurements a second.
    var frequency: Double
    /// Volts in one unit of the voltages, as a power of ten: -6 for microvolts.
    var unitExponent: Int
    /// Facts that Apple's files do not have, by their English names; see ``ElectrocardiogramWriter``.
    var additions: [String: String] = [:]

    /// Reads the lines above the first voltage. Throws for lines that do not say when and how fast.
    init(_ text: String) throws(CompanionError) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(Self.fact)
        guard let dateLine = lines.firstIndex(where: { DateText.parse($0.value) != nil }),
            let start = DateText.parse(lines[dateLine].value)
        else { throw CompanionError("its file gives no date of recording") }
        self.start = start
        let rates = lines.indices.dropFirst(dateLine + 1).lazy.compactMap { index in
            Self.frequency(lines[index].value).map { (index, $0) }
        }
        guard let (rateLine, frequency) = rates.first(where: { $0.1 > 0 && $0.1 <= 1_000_000 }) else {
            throw CompanionError("its file gives no sample rate")
        }
        self.frequency = frequency
        func value(_ index: Int) -> String {
            index > dateLine && index < rateLine ? lines[index].value : ""
        }
        classification = value(dateLine + 1)
        // From behind, so that a line which a later version puts in between is in nobody's place.
        device = rateLine - 1 > dateLine + 1 ? Self.some(value(rateLine - 1)) : nil
        softwareVersion = rateLine - 2 > dateLine + 1 ? Self.some(value(rateLine - 2)) : nil
        symptoms = rateLine - 3 > dateLine + 1 ? value(dateLine + 2) : ""
        let units = lines[(rateLine + 1)...].lazy.compactMap { Self.unitExponent($0.value) }
        unitExponent = units.first ?? -6
        for line in lines[(rateLine + 1)...] where ElectrocardiogramWriter.additions.contains(line.name) {
            additions[line.name] = line.value
        }
    }

    private static func some(_ text: String) -> String? {
        text.isEmpty ? nil : text
    }

    /// Name and value of a line. The value may stand in quotes, and may hold commas even when it does not.
    private static func fact(_ line: Substring) -> (name: String, value: String) {
        guard let comma = line.firstIndex(of: ",") else { return (String(line), "") }
        var value = line[line.index(after: comma)...]
        if value.count >= 2, value.first == "\"", value.last == "\"" {
            value = value.dropFirst().dropLast()
            return (String(line[..<comma]), String(value.replacing("\"\"", with: "\"")))
        }
        return (String(line[..<comma]), String(value))
    }

    /// The number in `512 hertz`, `512.844 hertz`, `512,844 Hz` or `512ヘルツ`; `nil` without a unit behind it.
    private static func frequency(_ text: String) -> Double? {
        let end = text.firstIndex { !$0.isNumber && !".,٫".contains($0) } ?? text.endIndex
        guard text[end...].contains(where: \.isLetter) else { return nil }
        return VoltageText.parse(text[..<end], exponent: 0)
    }

    /// Of the units that may stand there; both letters that look like a µ are in use.
    private static func unitExponent(_ text: String) -> Int? {
        switch text {
        case "µV", "μV", "uV", "мкВ": -6
        case "mV", "мВ": -3
        case "V", "В": 0
        default: nil
        }
    }
}
