/// The export of a Garmin account: FIT files in zip files, and documents that Garmin has made of them.
enum GarminExport {
    /// What a document is, if it is one of an export; its FIT files have the same in detail.
    static func title(of name: String) -> String? {
        let path = name.lowercased()
        guard path.hasSuffix(".json"), path.contains("di_connect/") || path.contains("di-connect-") else { return nil }
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return documents.first { last.contains($0.part) }?.title ?? "Garmin’s document of something else"
    }

    /// What a document is that is given by itself, by its name or else by what it begins with.
    static func title(of name: String, head: [UInt8]) -> String? {
        if let title = title(of: name) { return title }
        let last = name.lowercased().split(separator: "/").last ?? ""
        let text = String(decoding: head, as: UTF8.self)
        let part =
            ["udsfile", "sleepdata", "summarizedactivities"].first(where: last.contains)
            ?? contents.first { text.contains("\"\($0.name)\"") }?.part
        return documents.first { $0.part == part }?.title
    }

    /// Names of members that only such documents have.
    private static let contents: [(name: String, part: String)] = [
        ("summarizedActivitiesExport", "summarizedactivities"), ("sleepWindowConfirmationType", "sleepdata"),
        ("deepSleepSeconds", "sleepdata"), ("userProfilePK", "udsfile"), ("wellnessStartTimeGmt", "udsfile"),
    ]

    private static let documents: [(part: String, title: String)] = [
        ("udsfile", "Garmin’s document of daily totals"), ("sleepdata", "Garmin’s document of sleep"),
        ("summarizedactivities", "Garmin’s document of activities"),
        ("biometric", "Garmin’s document of weight and others"),
        ("healthstatus", "Garmin’s document of health status"), ("hydration", "Garmin’s document of drinking"),
        ("metrics", "Garmin’s document of training scores"), ("score", "Garmin’s document of training scores"),
        ("trainingreadiness", "Garmin’s document of training scores"),
        ("trainingload", "Garmin’s document of training scores"), ("gear", "Garmin’s document of gear"),
    ]
}
