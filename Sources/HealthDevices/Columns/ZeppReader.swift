import HealthFiles

/// Reads the tables that Zepp, once Mi Fit, hands out.
final class ZeppReader: TableService {
    static let format = FileFormat(
        name: "Zepp", title: "[Zepp, Amazfit, Zepp Life](#zepp)",
        files: "the unpacked folder, or a zip file without a password",
        exampleNames: ["HEARTRATE_AUTO_1.csv", "SLEEP_1.csv", "SPORT_1.csv"], sources: ["zepp."],
        dayTotals: Set([MeasuredType.steps, .distanceOnFoot, .activeEnergy].map(\.code)))
}
