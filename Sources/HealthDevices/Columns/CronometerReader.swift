import HealthFiles

/// Reads the food, measurements and exercise that Cronometer exports. Sums of days count only without the food itself.
final class CronometerReader: TableService {
    private var hasServings = false

    func prepare(_ files: [CandidateFile]) { hasServings = files.contains { $0.header.contains("Food Name") } }

    func recognize(_ file: CandidateFile) -> Recognition? {
        let table = recognizeTable(file)
        guard table != nil, hasServings, file.header.contains("Completed") else { return table }
        return .leftOut("has the sums of days, of which another file of Cronometer’s has the food")
    }
}
