/// How a version of iOS with a locale writes an archive. The plain archive for demos and benchmarks has a fixed style.
struct ArchiveStyle {
    /// `nil` for the plain archive.
    let dialect: ArchiveDialect?
    let locale: GeneratorLocale
    private let sources: GeneratorSources?

    init(_ options: GeneratorOptions) {
        dialect = options.dialect
        locale = GeneratorLocale(options.locale) ?? GeneratorLocale("en_US")!
        sources = options.dialect.map { GeneratorSources($0, seed: options.seed, exportDate: options.exportDate) }
    }

    /// Whether the archive has records of a type.
    func has(type: String) -> Bool { dialect?.has(type: type) ?? true }

    /// The attributes of a source in a record that starts at `second`.
    func attributes(of source: GeneratorSource, at second: Int) -> [UInt8] {
        sources?.attributes(of: source, at: second) ?? source.attributes
    }

    /// Converts a value to the unit of the region.
    func measure(_ value: Int, digits: Int, unit: String) -> (value: Int, digits: Int, unit: String) {
        guard dialect != nil else { return (value, digits, unit) }
        guard locale.hasCustomaryUnits else { return (value, digits, unit) }
        switch unit {
        case "kcal": return (value, digits, "Cal")
        case "km": return (value * 621_371 / 1_000_000, digits, "mi")
        case "km/hr": return (value * 621_371 / 1_000_000, digits, "mi/hr")
        case "kg": return (value * 220_462 / 100_000, digits, "lb")
        case "degC": return (value * 9 / 5 + 3_200, digits, "degF")
        default: return (value, digits, unit)
        }
    }

    /// The energy unit in summaries and workouts.
    var energyUnit: String { dialect != nil && locale.hasCustomaryUnits ? "Cal" : "kcal" }
}

/// The language and region of an archive, which determine the main file's name, clock times, units, and the terms and
/// decimal separator of electrocardiograms.
///
/// This does not use the system's locale data, so that an archive is the same on every machine.
struct GeneratorLocale: Hashable, Sendable {
    /// The identifier in the archive, such as `en_US`.
    let identifier: String
    private let language: String
    private let region: String

    /// Parses a language of two or three lowercase letters with or without a region; `nil` for other text.
    init?(_ identifier: String) {
        let parts = identifier.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), (2...3).contains(parts[0].utf8.count),
            parts[0].utf8.allSatisfy({ (97...122).contains($0) }),
            parts.count == 1 || parts[1].utf8.count == 2 && parts[1].utf8.allSatisfy({ (65...90).contains($0) })
        else { return nil }
        self.identifier = identifier
        language = parts[0]
        region = parts.count == 2 ? parts[1] : ""
    }

    /// The localized name of the main file without extension. Other names are not localized.
    var mainFileName: String {
        switch language {
        case "nb": "eksport"
        case "es": "exportar"
        case "fi": "vienti"
        case "de": "Exportieren"
        case "fr": "exporter"
        case "zh": "导出"
        case "tr": "dışa aktarılan"
        default: "export"
        }
    }

    /// Whether clock times have AM or PM.
    var hasTwelveHours: Bool { ["US", "CA", "AU", "IN"].contains(region) && language == "en" }

    var decimalMark: String {
        if ["PT", "BR", "DE", "FR", "ES", "IT", "NO", "FI", "TR"].contains(region) { return "," }
        return ["de", "es", "fi", "fr", "it", "nb", "pt", "tr"].contains(language) && !["US", "MX"].contains(region)
            ? "," : "."
    }

    /// Whether US customary units are used.
    var hasCustomaryUnits: Bool { region == "US" }

    /// The time of a beat, such as `7:47:41.86 PM` or `08:33:44,67`.
    func clockTime(secondOfDay: Int, hundredths: Int) -> String {
        let (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        let rest = ":\(Self.pad(minute)):\(Self.pad(second))\(decimalMark)\(Self.pad(hundredths))"
        return hasTwelveHours ? "\((hour + 11) % 12 + 1)\(rest) \(hour < 12 ? "AM" : "PM")" : Self.pad(hour) + rest
    }

    /// The terms in an electrocardiogram's heading.
    var electrocardiogramWords: ElectrocardiogramWords {
        switch language {
        case "fr": .french
        case "de": .german
        case "es": .spanish
        case "pt": .portuguese
        case "ja": .japanese
        default: .english
        }
    }

    static func pad(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
