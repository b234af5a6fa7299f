import HealthFiles

/// Reads the documents of the export of a Garmin account. Of what its FIT files have in detail, they count only without any.
final class GarminReader: TableService {
    private var hasRecordings = false
    /// The documents that have what FIT files lack.
    private static let others = ["healthstatus", "hydration"]

    func prepare(_ files: [CandidateFile]) { hasRecordings = files.contains { $0.hasEnding(".fit") } }

    func recognize(_ file: CandidateFile) -> Recognition? {
        if !hasRecordings || Self.others.contains(where: file.lastName.contains), let table = recognizeTable(file) {
            return table
        }
        let isDocument = file.hasEnding(".json") || ["{", "["].contains(file.text.first)
        guard isDocument, let title = file.isAlone ? title(of: file) : Self.title(of: file.plainName) else {
            return nil
        }
        return .leftOut(
            "is \(title), which isn’t imported: the FIT files of the export have the same in detail. Import the zip file of the export, or its folder"
        )
    }

    /// The title of a document of an export, by its name.
    private static func title(of path: String) -> String? {
        guard path.contains("di_connect/") || path.contains("di-connect-") else { return nil }
        let last = path.split(separator: "/").last ?? ""
        return documents.first { last.contains($0.part) }?.title ?? "Garmin’s document of something else"
    }

    /// The title of a document that is given by itself, by its name or else by what it begins with.
    private func title(of file: CandidateFile) -> String? {
        if let title = Self.title(of: file.plainName) { return title }
        let part =
            ["udsfile", "sleepdata", "summarizedactivities"].first(where: file.lastName.contains)
            ?? Self.contents.first { file.text.contains("\"\($0.name)\"") }?.part
        return Self.documents.first { $0.part == part }?.title
    }
}
