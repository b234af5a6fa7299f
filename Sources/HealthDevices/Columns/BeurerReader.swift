import HealthFiles

/// Reads the blood pressures and weights that Beurer’s HealthManager exports, as tables that follow each other.
final class BeurerReader: TableService {
    static let format = FileFormat(
        name: "Beurer", title: "[Beurer](#beurer)", files: "the CSV file of HealthManager Pro",
        exampleNames: ["HealthManager Pro Export.csv"], sources: ["beurer."])

    static var sections: [ColumnMapping] { mappings }
}
