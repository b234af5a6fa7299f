import ArgumentParser
import Foundation
import HealthDaemon
import HealthEngine
import HealthModel
import HealthStorage

/// `hk background`: which applications are delivered to while they don't run.
struct BackgroundCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "background", abstract: "Show and change what is delivered to applications in the background.",
        discussion: """
            An application registers types with enableBackgroundDelivery(for:frequency:), or you do with --type. When data \
            of a type arrives, “hk daemon” starts the application’s program or calls its webhook, until that is \
            acknowledged. After three failures, the types are suspended until you resume them or the application registers \
            them again; nothing is lost meanwhile. “hk serve” calls webhooks, too, and alerts tell you something through them.

            A copy or a backup of a store has the registrations, too. Programs and webhooks that weren’t registered on this \
            machine are reached only after “hk background confirm”.

              hk background
              hk background register org.example.steps --command /usr/local/bin/steps
              hk background register org.example.site --type hr --webhook https://a.example
              hk background resume org.example.site
              hk background alert org.example.site Pulse --type hr --above 120 --unit bpm
            """,
        subcommands: [
            List.self, Register.self, Unregister.self, Suspend.self, Resume.self, Confirm.self, Test.self,
            Attempts.self, Alert.self,
        ],
        defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List applications, their types and the state of each. This is the default.")

        @OptionGroup var options: StoreOptions

        func run() throws {
            let dates = DateOutput(calendar: RangeOptions.machineCalendar)
            let engine = try options.openEngine()
            let targets = try engine.targets
            let applications = try engine.backgroundDelivery.applications().sorted { $0.key < $1.key }
            guard !options.json else {
                return try JSONOutput.print(applications.map { BackgroundAnswer($0.key, $0.value, targets, dates) })
            }
            guard !applications.isEmpty else {
                return print("No application is registered. Register one with “hk background register”.")
            }
            var table = Table(["application", "type", "at most", "state", "reached by"])
            for (name, application) in applications {
                let isConfirmed = application.target.map { targets.contains($0, of: name) } ?? true
                let target = BackgroundAnswer.text(application.target) + (isConfirmed ? "" : " (not confirmed)")
                if application.registrations.isEmpty { table.add([name, "", "", "no types registered", target]) }
                // Types that are alike are one row: a program can register a hundred.
                let rows = Dictionary(grouping: application.registrations.keys) { type in
                    [
                        application.registrations[type].map { BackgroundAnswer.text($0.frequency) } ?? "",
                        state(of: type, application, dates),
                    ]
                }
                for (cells, types) in rows.sorted(by: { TypeName.list($0.value) < TypeName.list($1.value) }) {
                    table.add([name, TypeName.list(types)] + cells + [target])
                }
            }
            print(table.text(), terminator: "")
        }

        private func state(of type: String, _ application: BackgroundApplication, _ dates: DateOutput) -> String {
            if application.registrations[type]?.isSuspended == true { return "suspended" }
            guard let delivery = application.delivery(of: type) else {
                guard let earliest = application.earliestDelivery(of: type),
                    earliest > CurrentTime.now.timeIntervalSinceReferenceDate
                else { return "waiting for changes" }
                return "not before \(dates.minute(Date(timeIntervalSinceReferenceDate: earliest)))"
            }
            guard let next = delivery.nextAttempt else { return "attempt \(delivery.attempt) is running" }
            let date = dates.minute(Date(timeIntervalSinceReferenceDate: next))
            return delivery.misses == 0 ? "due" : "failed \(delivery.misses == 1 ? "once" : "twice"), again at \(date)"
        }
    }

    struct Register: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "register", abstract: "Set how an application is reached, and the types it is registered for.",
            discussion: """
                Types that the application registered itself stay registered. Types given here are added; changes made \
                before aren’t delivered. --command takes the rest of the line up to --store, --key-file or --json; after --, \
                all arguments are the program’s. The store is created if there is none.
                """)

        @Argument(help: "The application’s bundle identifier: its $HEALTHKIT_APPLICATION, or the program’s name.")
        var application: String

        @Option(name: .long, help: "Types to register, separated by commas.", completion: TypeCompletion.list)
        var type: String?

        @Option(name: .long, help: "How often they are delivered at most: immediate, hourly, daily or weekly.")
        var frequency: Frequency = .immediate

        @Option(name: .long, help: "The URL to call, by https or on this machine.")
        var webhook: String?

        @Option(
            name: .long,
            help:
                "The file with the key that signs calls; it is created if there is none (default: a key that is shown once).",
            completion: .file())
        var secretFile: String?

        @Flag(name: .long, help: "Send the samples that changed, as far as the application may read them.")
        var samples = false

        @Flag(name: .long, help: "Let the URL’s name lead to an address of this machine or its network.")
        var allowPrivate = false

        @OptionGroup var options: StoreOptions

        @Option(
            name: .long, parsing: .remaining, help: "The program to start, and its arguments: the rest of the line.",
            completion: .file())
        var command: [String] = []

        mutating func validate() throws {
            try takeOptions()
            guard !application.isEmpty, application.allSatisfy({ !$0.isNewline && $0 != "\0" }) else {
                throw ValidationError(
                    "A bundle identifier has at least one character. Use a form like org.example.app.")
            }
            guard command.isEmpty || webhook == nil else {
                throw ValidationError("--command and --webhook can’t be combined.")
            }
            guard !command.isEmpty || webhook != nil || type != nil else {
                throw ValidationError("Give --command, --webhook or --type.")
            }
            guard webhook != nil || secretFile == nil && !samples && !allowPrivate else {
                throw ValidationError("--secret-file, --samples and --allow-private are for --webhook.")
            }
        }

        /// Separates the options of this command that follow the program’s arguments, unless those are after `--`.
        private mutating func takeOptions() throws {
            let names = ["--store", "--key-file", "--json", "--"]
            guard
                let index = command.indices.dropFirst().first(where: { index in
                    names.contains { command[index] == $0 || $0 != "--" && command[index].hasPrefix($0 + "=") }
                })
            else { return }
            let rest = command[index...]
            command = Array(command[..<index])
            if rest.first == "--" {
                command += rest.dropFirst()
            } else {
                let following: StoreOptions
                do {
                    following = try StoreOptions.parse(Array(rest))
                } catch {
                    throw ValidationError(StoreOptions.message(for: error))
                }
                options.store = following.store ?? options.store
                options.json = following.json || options.json
            }
        }

        func run() throws {
            // An application can be registered before its first sample.
            let engine = try options.openEngine(creating: true)
            let types = try self.types(engine.dictionaries())
            let targets = try engine.targets
            var secret: String?
            if let target = try target(targets) {
                if let last = try engine.backgroundDelivery.application(application)?.target {
                    targets.remove(last, of: application)
                }
                try targets.confirm(target, of: application)
                let file = targets.secretFile(of: application)
                try? FileManager.default.removeItem(atPath: file)
                if webhook != nil, secretFile == nil { secret = try WebhookSecret.create(file) }
                try engine.backgroundDelivery.setTarget(target, of: application)
            }
            for type in types {
                try engine.backgroundDelivery.setFrequency(frequency.value.rawValue, of: type, for: application)
            }
            try BackgroundAnswer.print(application, in: engine, options, secret: secret)
            if let secret, !options.json { print("The key that signs calls, which isn’t shown again: \(secret)") }
        }

        private func types(_ dictionaries: StoreDictionaries) throws -> [String] {
            try (type ?? "").split(separator: ",").map { name in
                let name = name.trimmingCharacters(in: .whitespaces)
                let description = try TypeName.resolve(name, dictionaries: dictionaries)
                switch description.kind {
                case .characteristic, .correlation, .activitySummary:
                    throw UsageError(
                        "“\(TypeName.short(description.identifier))” can’t be delivered in the background.")
                default: return description.identifier
                }
            }
        }

        private func target(_ targets: ConfirmedTargets) throws -> DeliveryTarget? {
            if let webhook {
                try WebhookTarget.validate(webhook)
                let path =
                    secretFile.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
                    ?? targets.secretFile(of: application)
                if secretFile != nil {
                    if !FileManager.default.fileExists(atPath: path) { try WebhookSecret.create(path) }
                    _ = try WebhookSecret.load(path)
                }
                // An address that is written out is meant.
                let isPrivate = allowPrivate || WebhookTarget.namesPrivateAddress(webhook)
                return .webhook(
                    url: webhook, secretFile: path,
                    options: WebhookOptions(includesSamples: samples, allowsPrivateAddresses: isPrivate))
            }
            guard let program = command.first else { return nil }
            return .program(path: try path(of: program), arguments: Array(command.dropFirst()))
        }

        /// The absolute path of a program, which a name without a slash is looked up for in $PATH.
        private func path(of program: String) throws -> String {
            let candidates: [String]
            if program.contains("/") {
                candidates = [URL(fileURLWithPath: program).standardizedFileURL.path]
            } else {
                candidates = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
                    "\($0)/\(program)"
                }
            }
            guard let found = candidates.first(where: { isProgram($0) }) else {
                throw UsageError("“\(program)” is not a program that can be started.")
            }
            return found
        }

        private func isProgram(_ path: String) -> Bool {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
                && FileManager.default.isExecutableFile(atPath: path)
        }
    }

    struct Confirm: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Let the store start a program or call a webhook that was registered elsewhere.",
            discussion: "“hk background” shows what that is. Confirm only what you would start yourself.")

        @OptionGroup var selection: BackgroundSelection

        func run() throws {
            let (engine, _) = try selection.open()
            guard let target = try engine.backgroundDelivery.application(selection.application)?.target else {
                throw UsageError("“\(selection.application)” has no program and no webhook.")
            }
            try engine.targets.confirm(target, of: selection.application)
            // A daemon that runs looks again.
            try engine.backgroundDelivery.setTarget(target, of: selection.application)
            guard !selection.options.json else {
                return try BackgroundAnswer.print(selection.application, in: engine, selection.options)
            }
            print("Confirmed. \(selection.application) is reached by \(BackgroundAnswer.text(target)).")
        }
    }

    struct Unregister: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unregister", abstract: "Forget an application, or some of its types.")

        @OptionGroup var selection: BackgroundSelection

        func run() throws {
            let (engine, types) = try selection.open()
            let deliveries = engine.backgroundDelivery
            if let types {
                for type in types { try deliveries.setFrequency(nil, of: type, for: selection.application) }
            } else {
                if let target = try deliveries.application(selection.application)?.target {
                    try engine.targets.remove(target, of: selection.application)
                    try? FileManager.default.removeItem(
                        atPath: engine.targets.secretFile(of: selection.application))
                }
                try deliveries.remove(selection.application)
            }
            try BackgroundAnswer.print(selection.application, in: engine, selection.options)
        }
    }

    struct Suspend: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suspend", abstract: "Deliver nothing to an application until it is resumed.")

        @OptionGroup var selection: BackgroundSelection

        func run() throws {
            let (engine, types) = try selection.open()
            try engine.backgroundDelivery.setSuspended(true, of: types, for: selection.application)
            try BackgroundAnswer.print(selection.application, in: engine, selection.options)
        }
    }

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Deliver again, beginning with what has changed meanwhile.")

        @OptionGroup var selection: BackgroundSelection

        func run() throws {
            let (engine, types) = try selection.open()
            try engine.backgroundDelivery.setSuspended(false, of: types, for: selection.application)
            try BackgroundAnswer.print(selection.application, in: engine, selection.options)
        }
    }

    enum Frequency: String, ExpressibleByArgument, CaseIterable {
        case immediate, hourly, daily, weekly

        var value: DeliveryFrequency {
            switch self {
            case .immediate: .immediate
            case .hourly: .hourly
            case .daily: .daily
            case .weekly: .weekly
            }
        }
    }
}

/// An application that is registered, and some of its types.
struct BackgroundSelection: ParsableArguments {
    @Argument(help: "The application’s bundle identifier.")
    var application: String

    @Option(name: .long, help: "Types, separated by commas (default: all).", completion: TypeCompletion.list)
    var type: String?

    @OptionGroup var options: StoreOptions

    /// The store, and the identifiers of the types; `nil` for all.
    func open() throws -> (HealthEngine, Set<String>?) {
        let engine = try options.openEngine()
        guard let found = try engine.backgroundDelivery.application(application) else {
            throw UsageError.isNotRegistered(application)
        }
        guard let type else { return (engine, nil) }
        let dictionaries = try engine.dictionaries()
        let types = try type.split(separator: ",").map {
            try TypeName.resolve($0.trimmingCharacters(in: .whitespaces), dictionaries: dictionaries).identifier
        }
        for type in types where found.registrations[type] == nil {
            throw UsageError("“\(application)” isn’t registered for \(TypeName.short(type)).")
        }
        return (engine, Set(types))
    }
}

extension UsageError {
    static func isNotRegistered(_ application: String) -> UsageError {
        UsageError("Application “\(application)” isn’t registered. List those that are with “hk background”.")
    }
}

extension HealthEngine {
    /// The programs and addresses that this user lets the store start and call.
    var targets: ConfirmedTargets {
        get throws {
            ConfirmedTargets(
                folder: StoreOptions.stateFolder + "/background", store: try storage.read { try $0.identity().uuid })
        }
    }
}

/// An application as JSON.
struct BackgroundAnswer: Encodable {
    struct Registration: Encodable {
        var type: String
        var frequency: String
        var isSuspended: Bool
        var lastDelivered: String?
        var delivery: String?
        var attempt: Int?
        var misses: Int
        var nextAttempt: String?
    }

    var application: String
    var command: [String]?
    var webhook: String?
    var secretFile: String?
    /// The key that signs calls; only in the answer that makes it.
    var secret: String?
    /// Whether this machine's daemon reaches the program or webhook.
    var isConfirmed: Bool?
    var types: [Registration]
    /// The alerts that the person wants reported through the webhook.
    var alerts: [AlertRequest]?

    init(_ name: String, _ application: BackgroundApplication, _ targets: ConfirmedTargets, _ dates: DateOutput) {
        self.application = name
        isConfirmed = application.target.map { targets.contains($0, of: name) }
        switch application.target {
        case .program(let path, let arguments)?: command = [path] + arguments
        case .webhook(let url, let file, _)?: (webhook, secretFile) = (url, file)
        case nil: break
        }
        alerts = application.alerts.isEmpty ? nil : application.alerts.map(\.request)
        func date(_ seconds: Double) -> String { dates.iso(Date(timeIntervalSinceReferenceDate: seconds)) }
        types = application.registrations.sorted { $0.key < $1.key }.map { type, registration in
            let delivery = application.delivery(of: type)
            return Registration(
                type: type, frequency: Self.text(registration.frequency), isSuspended: registration.isSuspended,
                lastDelivered: registration.lastDelivered.map(date), delivery: delivery?.id.uuidString,
                attempt: delivery?.deadline == nil ? nil : delivery?.attempt, misses: delivery?.misses ?? 0,
                nextAttempt: delivery?.nextAttempt.map(date))
        }
    }

    /// With --json, prints what is known about an application after a change, as `hk background --json` does.
    static func print(
        _ name: String, in engine: HealthEngine, _ options: StoreOptions, secret: String? = nil
    ) throws {
        guard options.json else { return }
        let (dates, targets) = (DateOutput(calendar: RangeOptions.machineCalendar), try engine.targets)
        var answer = try engine.backgroundDelivery.application(name).map { BackgroundAnswer(name, $0, targets, dates) }
        answer?.secret = secret
        try JSONOutput.print(answer.map { [$0] } ?? [])
    }

    static func text(_ frequency: DeliveryFrequency) -> String { "\(frequency)" }

    static func text(_ target: DeliveryTarget?) -> String {
        switch target {
        case .program(let path, let arguments)?: ([path] + arguments).joined(separator: " ")
        case .webhook(let url, _, _)?: url
        case nil: "nothing: it must run by itself"
        }
    }
}
