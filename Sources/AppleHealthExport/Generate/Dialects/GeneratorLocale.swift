/// Language and region of the telephone that exports, as far as they show in the archive: the main file's
/// name, clock times, units, and the words and decimal mark of electrocardiograms.
///
/// Written down here and not asked of the system, so that an archive is the same on every machine.
struct GeneratorLocale: Hashable, Sendable {
    /// As the archive has it, `en_US`.
    let identifier: String
    private let language: String
    private let region: String

    /// `nil` where the text is no language of two or three small letters with or without a region.
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

    /// The main file without its ending: its name is translated, those of the others are not.
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

    /// Whether a clock time ends in AM or PM.
    var hasTwelveHours: Bool { ["US", "CA", "AU", "IN"].contains(region) && language == "en" }

    var decimalMark: String {
        if ["PT", "BR", "DE", "FR", "ES", "IT", "NO", "FI", "TR"].contains(region) { return "," }
        return ["de", "es", "fi", "fr", "it", "nb", "pt", "tr"].contains(language) && !["US", "MX"].contains(region) ? "," : "."
    }

    /// Whether lengths, masses and temperatures are given in the units of the United States.
    var hasCustomaryUnits: Bool { region == "US" }

    /// `7:47:41.86 PM`, `08:33:44,67`: how a beat's time is written.
    func clockTime(secondOfDay: Int, hundredths: Int) -> String {
        let (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        let rest = ":\(Self.pad(minute)):\(Self.pad(second))\(decimalMark)\(Self.pad(hundredths))"
        return hasTwelveHours
            ? "\((hour + 11) % 12 + 1)\(rest) \(hour < 12 ? "AM" : "PM")" : Self.pad(hour) + rest
    }

    /// The words of an electrocardiogram's head.
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
