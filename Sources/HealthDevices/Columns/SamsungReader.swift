import HealthFiles
import HealthModel

/// Reads the tables that Samsung Health hands out, and the documents beside them.
final class SamsungReader: TableService {
    private var deviceNames: [String: String] = [:]
    private var exercises: [String: SamsungExercise] = [:]
    /// The documents of workouts, by identity.
    private var recordings: [String: [CandidateFile]] = [:]

    private static let exercise = ".com.samsung.health.exercise."

    func prepare(_ files: [CandidateFile]) {
        for file in files {
            if file.lastName.contains(Self.exercise), let identity = Self.identity(of: file) {
                recordings[identity, default: []].append(file)
            } else if file.lastName.contains(/^com.samsung.s?health.exercise\./), file.hasEnding(".csv") {
                for row in Self.rows(of: file) {
                    if let exercise = SamsungExercise(row) { exercises[exercise.identity] = exercise }
                }
            } else if file.lastName.hasPrefix("com.samsung.health.device_profile.") {
                for row in Self.rows(of: file) {
                    guard let device = row["deviceuuid"], let name = row["name"], let model = row["model"] else {
                        continue
                    }
                    // A phone is called so on every phone.
                    deviceNames[device] = name == "My Device" || name.isEmpty ? model : name
                }
            }
        }
    }

    func recognize(_ file: CandidateFile) -> Recognition? {
        if file.lastName.contains(Self.exercise), let identity = Self.identity(of: file) {
            guard let exercise = exercises[identity], let parts = recordings[identity] else {
                return .leftOut("is a document of a workout, whose table isn’t there. Import the whole folder")
            }
            guard parts.first?.name == file.name else { return .isPart }
            return .readsRecordings(type: "JSON") { context, yield in
                try yield(exercise.read(parts.map { try context.contents(of: $0.file) }))
            }
        }
        // Many tables have columns with these names; the first line says whose they are.
        let title = file.lastName.hasPrefix("com.samsung.") ? file.lastName : file.rows.first?.fields.first ?? ""
        let isNight = title.split(separator: ".").dropFirst(3).first == "sleep"
        if file.rows.isEmpty || title.hasPrefix("com.samsung."),
            let recognition = Self.recognize(
                file, isNight ? Self.mappings : Self.mappings.dropLast(), deviceNames: deviceNames)
        {
            return recognition
        }
        guard file.plainName.contains("com.samsung."), file.hasEnding(".csv", ".json") else { return nil }
        return .leftOut("is a table or document of Samsung Health’s that isn’t imported")
    }

    /// The identity of the workout of a document.
    private static func identity(of file: CandidateFile) -> String? {
        guard file.hasEnding("live_data.json", "location_data.json"), let end = file.lastName.firstRange(of: exercise)
        else { return nil }
        return String(file.lastName[..<end.lowerBound])
    }

    /// The rows of a table, with the last parts of the names of its columns.
    private static func rows(of file: CandidateFile) -> [[String: String]] {
        var rows: [[String: String]] = []
        var names: [String] = []
        guard let source = try? file.file.pieces(), var reader = try? CSVReader(headerLine: 2, source) else {
            return []
        }
        while let row = try? reader.next() {
            if !names.isEmpty {
                rows.append(Dictionary(zip(names, row.fields), uniquingKeysWith: { first, _ in first }))
            } else if row.line >= 2 {
                names = row.fields.map { $0.split(separator: ".").last.map(String.init) ?? "" }
            }
        }
        return rows
    }
}
