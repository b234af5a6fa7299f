import HealthFiles

/// Recognizes the history of Home Assistant, which has the names of a person’s own sensors, and neither types nor units.
final class HomeAssistantReader: FileReader {
    func recognize(_ file: CandidateFile) -> Recognition? {
        guard file.rows.first?.fields.starts(with: ["entity_id", "state", "last_changed"]) ?? false else { return nil }
        return .leftOut(
            "is a history of Home Assistant, which doesn’t say what its sensors measure. Say it in a mapping, with --columns",
            .notAnExport)
    }
}
