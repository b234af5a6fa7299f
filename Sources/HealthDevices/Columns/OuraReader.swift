import HealthFiles

/// Reads the tables that Oura hands out.
final class OuraReader: TableService {
    static let format = FileFormat(
        name: "Oura", title: "[Oura](#oura)", files: "the zip file or its folder",
        exampleNames: ["sleepmodel.csv", "heartrate.csv"], sources: ["oura."],
        dayTotals: Set([MeasuredType.steps, .distanceOnFoot, .activeEnergy, .oxygenSaturation].map(\.code)))

    func recognize(_ file: CandidateFile) -> Recognition? {
        if let table = recognizeTable(file) { return table }
        guard file.lastName.hasPrefix("oura_data_") || file.header.starts(with: ["date", "Sleep Score"]) else {
            return nil
        }
        return .leftOut(
            "is of an earlier export of Oura’s; the earlier form isn’t read. Import the zip file of “Export data”")
    }
}
