import HealthFiles

/// The kind of a file of Google's archive, by its name: names of files are English in every language, those
/// of folders aren't.
enum GoogleFile: Hashable, Sendable {
    /// The person's profile, which names the time zone.
    case profile
    /// A list of times and values, by the minute or finer.
    case list(FitbitList)
    /// A list of one value a day.
    case days(FitbitDays)
    case sleepLogs, exerciseLogs, weightLogs
    /// A table of samples.
    case table(GoogleTable)
    case sleepTable, sleepStageTable, exerciseTable
    /// A table of scores, of which the lines are counted.
    case scores
    /// A stream of Google Fit.
    case fitData
    /// A stream of Google Fit that tells what the person was doing when.
    case fitActivities
    /// A workout or a night of Google Fit.
    case fitSession
    /// A file that is known and not read.
    case leftOut(String)

    var stage: ReadingStage {
        switch self {
        case .profile, .fitActivities, .fitSession: .first
        case .list, .sleepLogs, .exerciseLogs, .weightLogs: .minute
        case .days: .total
        case .table(let table): table.stage
        case .sleepTable, .sleepStageTable, .exerciseTable, .fitData: .exact
        case .scores, .leftOut: .total
        }
    }

    /// - Parameter path: The path of a file in a folder or zip file. `nil` if it isn't a file of such an archive.
    init?(path: String) {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        guard let point = name.lastIndex(of: "."), point > name.startIndex else { return nil }
        // Names end with dates or numbers: heart_rate-2024-05-01, exercise-100, Minute SpO2 - 2024-05-01 (1).
        let stem = String(name[..<point].reversed().drop { "0123456789-_() ".contains($0) }.reversed())
        switch name[name.index(after: point)...] {
        case "json":
            if name.hasPrefix("raw_com.google.") || name.hasPrefix("derived_com.google.") {
                self = name.contains("_com.google.activity.segment") ? .fitActivities : .fitData
            } else if Self.beginsWithTime(name) {
                self = .fitSession
            } else if let known = Self.lists[stem], !known.isNumbered || stem != name[..<point] {
                self = known
            } else {
                return nil
            }
        case "csv":
            guard let known = Self.tables[stem] else { return nil }
            self = known
        default: return nil
        }
    }

    /// Whether the name of a file has a date or number.
    private var isNumbered: Bool {
        switch self {
        case .list, .days, .sleepLogs, .exerciseLogs, .weightLogs: true
        default: false
        }
    }

    /// Whether others have files with such a name.
    var hasCommonName: Bool {
        switch self {
        case .table, .profile: true
        default: false
        }
    }

    /// Whether a file of this kind indicates that it is part of such an archive: others have profiles, too.
    var isEvidence: Bool {
        switch self {
        case .profile, .scores, .leftOut: false
        default: true
        }
    }

    /// Whether a file begins as one of this kind does.
    func matches(head: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let names = start.prefix { !$0.isNewline }.lowercased().split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix("\"").prefix { $0 != "\"" } }.map(String.init)
        return switch self {
        case .list, .days: start.hasPrefix("[") && start.contains("\"dateTime\"")
        case .sleepLogs, .weightLogs, .exerciseLogs: start.hasPrefix("[") && start.contains("\"logId\"")
        case .fitData, .fitActivities:
            start.hasPrefix("{") && (start.contains("\"Data Source\"") || start.contains("\"Data Points\""))
        case .fitSession: start.hasPrefix("{") && start.contains("\"fitnessActivity\"")
        case .table(let table): table.columns(names) != nil
        case .sleepTable, .sleepStageTable: names.contains("sleep_id")
        case .exerciseTable: names.contains("exercise_start")
        case .profile: names.contains("timezone")
        case .scores, .leftOut: false
        }
    }

    /// Whether a name begins like `2021-04-19T20_57_39.686Z_PT11M_Running.json`.
    private static func beginsWithTime(_ name: String) -> Bool {
        let form = "0000-00-00t00_00_00"
        return name.utf8.count > form.utf8.count
            && zip(name.utf8, form.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? (48...57).contains($0) : $0 == $1 }
    }

    private static let lists: [String: GoogleFile] = {
        var files: [String: GoogleFile] = ["sleep": .sleepLogs, "exercise": .exerciseLogs, "weight": .weightLogs]
        for list in FitbitList.allCases { files[list.rawValue] = .list(list) }
        for days in FitbitDays.allCases { files[days.rawValue] = .days(days) }
        return files.merging(leftOutLists.mapValues { .leftOut($0) }) { $1 }
    }()

    private static let tables: [String: GoogleFile] = {
        var files: [String: GoogleFile] = [
            "profile": .profile, "usersleeps": .sleepTable, "usersleepstages": .sleepStageTable,
            "userexercises": .exerciseTable,
        ]
        for table in GoogleTable.all { files[table.name] = .table(table) }
        for name in scoreTables { files[name] = .scores }
        return files.merging(leftOutTables.mapValues { .leftOut($0) }) { $1 }
    }()
}
