import Foundation

/// Asks the person on the terminal, because a program on Linux has no permission sheet.
struct AuthorizationTerminal: Sendable {
    /// A Boolean value that indicates whether a person can answer.
    var isInteractive: Bool
    /// Reads one line; `nil` at the end of input.
    var read: @Sendable () -> String?
    /// Writes text, not to the program's output.
    var write: @Sendable (String) -> Void

    /// Standard input and standard error.
    static let standard = AuthorizationTerminal(
        isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1, read: { readLine() },
        write: { FileHandle.standardError.write(Data($0.utf8)) })

    /// Asks for everything, nothing, or type by type. The end of input denies the rest.
    func ask(
        _ request: HKHealthStore.Configuration.AuthorizationRequest
    ) -> HKHealthStore.Configuration.AuthorizationAnswer {
        let share = request.share.sorted { $0.identifier < $1.identifier }
        let read = request.read.sorted { $0.identifier < $1.identifier }
        write("“\(request.application.name)” would like to access your health data.\n")
        list("Write", share)
        list("Read", read)
        while true {
            write("Allow all (a), nothing (n), or choose (c)? ")
            guard let line = self.read() else { return .none }
            switch line.first?.lowercased() {
            case "a":
                return .all(request)
            case "n":
                return .none
            case "c":
                return .init(
                    share: Set(share.filter { isAllowed("write", $0) }),
                    read: Set(read.filter { isAllowed("read", $0) }))
            default:
                continue
            }
        }
    }

    private func list(_ verb: String, _ types: [HKObjectType]) {
        guard !types.isEmpty else { return }
        let names = types.map { TypeNames.short($0.identifier) }.joined(separator: ", ")
        write("  \(verb): \(names)\n")
    }

    private func isAllowed(_ verb: String, _ type: HKObjectType) -> Bool {
        write("  Allow to \(verb) \(TypeNames.short(type.identifier)) (y/n)? ")
        return self.read()?.first?.lowercased() == "y"
    }
}

/// Short type identifiers for people: `stepCount` for `HKQuantityTypeIdentifierStepCount`.
enum TypeNames {
    private static let prefixes = [
        "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier",
        "HKCharacteristicTypeIdentifier", "HKClinicalTypeIdentifier", "HKDocumentTypeIdentifier",
        "HKScoredAssessmentTypeIdentifier", "HKDataTypeIdentifier", "HKDataType", "HK",
    ]

    static func short(_ identifier: String) -> String {
        guard let prefix = prefixes.first(where: identifier.hasPrefix) else { return identifier }
        var name = identifier.dropFirst(prefix.count)
        if name.hasSuffix("TypeIdentifier") {
            name = name.dropLast("TypeIdentifier".count)
        }
        guard let first = name.first else { return identifier }
        return first.lowercased() + name.dropFirst()
    }
}
