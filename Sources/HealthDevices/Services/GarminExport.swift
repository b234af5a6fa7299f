/// The export of a Garmin account: FIT files in zip files, and documents that Garmin has made of them.
enum GarminExport {
    /// What a document is, if it is one of an export; its FIT files have the same in detail.
    static func title(of name: String) -> String? {
        let path = name.lowercased()
        guard path.hasSuffix(".json"), path.contains("di_connect/") || path.contains("di-connect-") else { return nil }
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return documents.first { last.contains($0.part) }?.title ?? "Garmin’s document of something else"
    }

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
