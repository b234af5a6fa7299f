import HealthFiles

/// Reads the tables that Oura hands out.
final class OuraReader: TableService {
    func recognize(_ file: CandidateFile) -> Recognition? {
        if let table = recognizeTable(file) { return table }
        guard file.lastName.hasPrefix("oura_data_") || file.header.starts(with: ["date", "Sleep Score"]) else {
            return nil
        }
        return .leftOut(
            "is of an earlier export of Oura’s; the earlier form isn’t read. Import the zip file of “Export data”")
    }
}
