import HealthFiles

/// Reads the archive that Withings hands out.
final class WithingsReader: TableService {
    static let format = FileFormat(
        name: "Withings", title: "[Withings](#withings)", files: "the zip file or its folder",
        exampleNames: ["weight.csv"], sources: ["withings."],
        dayTotals: Set([MeasuredType.steps, .distanceOnFoot, .activeEnergy].map(\.code)))
}
