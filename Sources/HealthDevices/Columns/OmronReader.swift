import HealthFiles

/// Reads the readings of blood pressure that OMRON connect exports.
final class OmronReader: TableService {
    static let format = FileFormat(
        name: "Omron", title: "[Omron](#omron)", files: "the CSV file of OMRON connect", exampleNames: ["omron.csv"],
        sources: ["omron."])
}
