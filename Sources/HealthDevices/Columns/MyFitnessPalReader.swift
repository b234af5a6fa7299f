import HealthFiles

/// Reads the meals and measurements that MyFitnessPal exports.
final class MyFitnessPalReader: TableService {
    /// The place among the mappings of measurements of the unit that the file of exercise names, which that of
    /// measurements doesn't.
    private var unit: Int?

    func prepare(_ files: [CandidateFile]) {
        let headers = files.filter { $0.lastName.hasPrefix("exercise-summary") }.compactMap(\.rows.first?.fields)
        unit = ["Kilograms", "Pounds"].firstIndex { unit in headers.contains { $0.contains(unit) } }
    }

    func recognize(_ file: CandidateFile) -> Recognition? {
        guard file.lastName.hasPrefix("measurement-summary") else {
            return Self.recognize(file, Self.mappings.filter(\.files.isEmpty))
        }
        guard let unit else {
            return .leftOut("has weights without their unit, which the file of exercise has. Import both together")
        }
        return Self.recognize(file, [Self.mappings.filter { !$0.files.isEmpty }[unit]])
    }
}
