import HealthEngine
import HealthFiles

extension ImportError {
    static func truncated(_ name: String, byte: Int, line: Int) -> ImportError {
        ImportError(
            .truncated,
            "“\(name)” is truncated: it ends at byte \(byte), on line \(line), before the end of HealthData.\(recoveryHint)"
        )
    }

    static func anotherPerson(_ name: String, _ differences: [ImportedPerson.Difference]) -> ImportError {
        let names = differences.map { difference in
            switch difference {
            case .dateOfBirth: "date of birth"
            case .biologicalSex: "biological sex"
            case .bloodType: "blood type"
            }
        }
        let list =
            names.count > 1
            ? names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1] : names.joined()
        return ImportError(
            .anotherPerson,
            "“\(name)” belongs to a different person than the archives imported before: its \(list) \(names.count > 1 ? "differ" : "differs")."
        )
    }
}
