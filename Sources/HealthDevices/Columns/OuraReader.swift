import HealthFiles

/// Reads the tables that Oura hands out.
final class OuraReader: TableService {
    static let format = FileFormat(
        name: "Oura", title: "[Oura](#oura)", files: "the zip file or its folder",
        exampleNames: ["sleepmodel.csv", "heartrate.csv"], sources: ["oura."],
        dayTotals: Set([MeasuredType.steps, .distanceOnFoot, .activeEnergy, .oxygenSaturation].map(\.code)))
}
