import HealthFiles

/// Reads the archive that WHOOP hands out.
final class WHOOPReader: TableService {
    static let format = FileFormat(
        name: "WHOOP", title: "[WHOOP](#whoop)", files: "the zip file or its folder",
        exampleNames: ["physiological_cycles.csv"], sources: ["whoop."])
}
