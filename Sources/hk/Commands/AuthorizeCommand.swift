import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// `hk authorize APP`: what an application may read and write.
struct AuthorizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize", abstract: "Show or change what applications may read and write.",
        discussion: """
            Applications are identified by their bundle identifier. Without options, the permissions are listed.

              hk authorize com.example.journal --read stepCount,heartRate
              hk authorize com.example.journal --read heartRate --since 2026-10-01
              hk authorize com.example.journal --share dietaryEnergyConsumed
              hk authorize com.example.journal --deny-read heartRate
              hk authorize com.example.journal --all
            """)

    @Argument(help: "The application’s bundle identifier (default: all applications).")
    var application: String?

    @Option(name: .long, help: "Types it may read, separated by commas.", completion: TypeCompletion.list)
    var read: String?

    @Option(name: .long, help: "With --read or --all: the start of the history it may read (default: everything).")
    var since: String?

    @Option(name: .long, help: "Types it may write, separated by commas.", completion: TypeCompletion.list)
    var share: String?

    @Option(name: .long, help: "Types it may not read, separated by commas.", completion: TypeCompletion.list)
    var denyRead: String?

    @Option(name: .long, help: "Types it may not write, separated by commas.", completion: TypeCompletion.list)
    var denyShare: String?

    @Flag(name: .long, help: "Allow it to read every type and to write every type that applications can write.")
    var all = false

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var application: String
        var type: String
        /// The name of the `HKAuthorizationStatus`, without “sharing”.
        var read: String
        var share: String
        var since: String?
    }

    func validate() throws {
        if application == nil, read != nil || share != nil || denyRead != nil || denyShare != nil || all {
            throw ValidationError("Give the bundle identifier of the application whose permissions to change.")
        }
        if since != nil, read == nil, !all {
            throw ValidationError("--since requires --read or --all.")
        }
    }

    func run() throws {
        let engine = try options.openEngine(creating: true)
        if let application { try change(application, engine) }
        let applications = try application.map { [$0] } ?? engine.authorization.applications()
        let dictionaries = try engine.dictionaries()
        var answers: [Answer] = []
        let dates = DateOutput(calendar: try RangeOptions.calendar(nil, options))
        for application in applications.sorted() {
            let decisions = try engine.authorization.decisions(bundleIdentifier: application)
            for (code, decision) in decisions.sorted(by: { $0.key < $1.key }) {
                answers.append(
                    Answer(
                        application: application, type: dictionaries.type(code)?.identifier ?? "\(code.rawValue)",
                        read: "\(decision.read)", share: "\(decision.share)",
                        since: decision.limit.map { date in
                            let date = Date(timeIntervalSinceReferenceDate: date)
                            return options.json ? dates.iso(date) : dates.minute(date)
                        }))
            }
        }
        guard !options.json else { return try JSONOutput.print(answers) }
        guard !answers.isEmpty else {
            print(
                application.map { "\($0) hasn’t requested authorization." }
                    ?? "No application has requested authorization.")
            return
        }
        var table = Table(["application", "type", "read", "share"])
        for answer in answers {
            table.add([
                answer.application, TypeName.short(answer.type),
                answer.since.map { "since \($0)" } ?? name(answer.read), name(answer.share),
            ])
        }
        print(table.text(), terminator: "")
    }

    private func name(_ status: String) -> String {
        ["notDetermined": "–", "authorized": "allowed"][status] ?? status
    }

    private func change(_ application: String, _ engine: HealthEngine) throws {
        let dictionaries = try engine.dictionaries()
        func types(_ text: String?) throws -> [TypeDescription] {
            try (text ?? "").split(separator: ",").map { try TypeName.resolve(String($0), dictionaries: dictionaries) }
        }
        func decide(_ types: [TypeDescription], _ change: (inout TypeAuthorization) -> Void) throws {
            for type in types {
                var decision = try engine.authorization.decision(of: type.code, bundleIdentifier: application)
                change(&decision)
                try engine.authorization.set(decision, of: type.code, bundleIdentifier: application)
            }
        }
        let text = DateArgument(calendar: try RangeOptions.calendar(nil, options))
        let limit = try since.map { try text.span($0, option: "--since").start }
        func allow(_ decision: inout TypeAuthorization) {
            decision.read = .authorized
            decision.earliest = limit?.timeIntervalSinceReferenceDate
        }
        let shared = try types(share)
        if let refused = shared.first(where: { !$0.isShareable }) {
            throw UsageError("Applications can’t write “\(TypeName.short(refused.identifier))”.")
        }
        if all {
            try decide(TypeCatalog.all) { allow(&$0) }
            try decide(TypeCatalog.all.filter { $0.isShareable && $0.kind != .correlation }) { $0.share = .authorized }
        }
        try decide(types(read)) { allow(&$0) }
        try decide(shared) { $0.share = .authorized }
        try decide(types(denyRead)) { $0.read = .denied }
        try decide(types(denyShare)) { $0.share = .denied }
    }
}
