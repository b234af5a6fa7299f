import HealthFiles

/// The kind of Google's file by its content, for one that is given without its archive and perhaps without its name.
extension GoogleFile {
    enum Content: Hashable {
        case file(GoogleFile)
        /// Several files are alike, so that only their names distinguish them. Names one of them.
        case alike(example: String)
    }

    /// - Parameter head: The first bytes of a file.
    /// - Returns: `nil` for a file that isn't known.
    static func content(head: some Collection<UInt8>) -> Content? {
        let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return switch text.first {
        case "[": list(text)
        case "{":
            text.contains("\"fitnessActivity\"")
                ? .file(.fitSession)
                : text.contains("\"Data Source\"") || text.contains("\"Data Points\"") ? .file(.fitData) : nil
        default: table(text)
        }
    }

    private static func list(_ text: Substring) -> Content? {
        func has(_ names: String...) -> Bool { names.contains { text.contains("\"\($0)\"") } }
        if has("logId") {
            return has("levels", "dateOfSleep")
                ? .file(.sleepLogs)
                : has("activityName", "activityTypeId")
                    ? .file(.exerciseLogs) : has("weight") && has("bmi") ? .file(.weightLogs) : nil
        }
        guard has("dateTime"), let value = text.firstMatch(of: /"value"\s*:\s*(.)/)?.1 else { return nil }
        guard value == "{" else { return value == "\"" ? .alike(example: "steps-2024-05-01.json") : nil }
        return has("bpm")
            ? .file(.list(.heartRate))
            : has("demographicVO2Max", "filteredDemographicVO2Max")
                ? .file(.days(.oxygenUptake))
                : has("valuesInZones")
                    ? .file(.leftOut("time in heart rate zones"))
                    : has("error") ? .file(.days(.restingHeartRate)) : nil
    }

    private static func table(_ text: Substring) -> Content? {
        let lines = text.split(whereSeparator: \.isNewline)
        let names = (lines.first ?? "").lowercased().split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix("\"").prefix { $0 != "\"" } }.map(String.init)
        for (column, file) in [
            ("sleep_stage_type", .sleepStageTable), ("exercise_start", .exerciseTable), ("sleep_start", .sleepTable),
        ] as [(String, GoogleFile)] where names.contains(column) && file.matches(head: Array(text.utf8)[...]) {
            return .file(file)
        }
        // Other programs write such names, too.
        if names == ["timestamp", "value"] { return .alike(example: "Minute SpO2 - 2024-05-01.csv") }
        let tables = GoogleTable.all.filter { $0.isDistinct && $0.columns(names) != nil }.filter {
            $0.stage != .exact || names.contains("data source") || $0.time != "timestamp"
        }
        guard tables.count > 1 else {
            if let table = tables.first { return .file(.table(table)) }
            return names.first == "timestamp" && names.last == "data source"
                ? .alike(example: "active_energy_burned_2024-05-01.csv") : nil
        }
        if tables.contains(where: { $0.type == .variability }) {
            let isDetail = names.contains("coverage")
            guard isDetail || names.contains("nremhr") || names.contains("entropy") else {
                return .alike(example: "Heart Rate Variability Details - 2024-05-01.csv")
            }
            return tables.first { ($0.span == .moment) == isDetail }.map { .file(.table($0)) }
        }
        // Those of a day have one line at midnight for each, those of moments a line every few seconds.
        let times = lines.dropFirst().prefix(8).map { $0.prefix { $0 != "," } }
        let midnights = times.filter { $0.contains("T00:00:00") || $0.count == 10 }
        guard times.count > 1, midnights.count == times.count || midnights.count < 2 else {
            return .alike(example: "daily_resting_heart_rate.csv")
        }
        return tables.first { ($0.span == .day) == (midnights.count == times.count) }.map { .file(.table($0)) }
    }
}
