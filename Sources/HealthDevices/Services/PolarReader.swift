import HealthFiles

/// Reads the training sessions, steps, nights and heart rates of the export of a Polar Flow account.
final class PolarReader: TableService {
    /// Whether a training session is among the files, which makes the others documents of Polar's.
    private var hasSessions = false

    func prepare(_ files: [CandidateFile]) { hasSessions = files.contains(where: Self.isNamedSession) }

    func recognize(_ file: CandidateFile) -> Recognition? {
        if Self.isNamedSession(file) || file.isAlone && Self.beginsSession(file.text) {
            return .readsRecordings(type: "JSON") { try $1(PolarSession.read($0.contents(of: file.file), $0)) }
        }
        if let kind = PolarDay.Kind(file) {
            return .reads(.exact, type: "JSON") { try $1(PolarDay.read($0.contents(of: file.file), kind, $0)) }
        }
        if let table = recognizeTable(file) { return table }
        guard file.hasEnding(".json"), hasSessions || file.text.contains("\"exportVersion\""),
            Self.others.contains(where: file.lastName.hasPrefix)
        else { return nil }
        return .leftOut(
            "is one of Polar’s other documents. Only training sessions, steps, nights and heart rates are imported")
    }

    private static func isNamedSession(_ file: CandidateFile) -> Bool {
        file.lastName.hasPrefix("training-session-") && file.hasEnding(".json")
    }

    /// Recognizes both versions of a session by the names of members.
    private static func beginsSession(_ text: Substring) -> Bool {
        text.first == "{" && text.contains("\"exercises\"")
            && (text.contains("\"exportVersion\"") || text.contains("\"timezoneOffsetMinutes\""))
    }

    /// The beginnings of the names of other documents.
    private static let others = [
        "activity-", "247ohr", "sleep_", "ppi_samples", "nightly_recovery", "training-target-", "fitness-test-",
        "calendar-", "account-", "sport-profiles-", "products-devices-", "programs-", "planned-route-", "favourite-",
    ]
}
