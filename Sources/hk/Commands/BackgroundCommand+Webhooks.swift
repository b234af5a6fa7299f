import ArgumentParser
import Foundation
import HealthDaemon
import HealthEngine
import HealthModel
import HealthStorage

/// The status of a webhook's calls, and its alerts.
extension BackgroundCommand {
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Call a webhook with a test event, which has no data.")

        @Argument(help: "The application’s bundle identifier.")
        var application: String

        @OptionGroup var options: StoreOptions

        private struct Answer: Encodable {
            var isAcknowledged: Bool
            var reason: String?
        }

        func run() async throws {
            let engine = try options.openEngine()
            let webhook = try engine.webhook(of: application)
            let attempt = await webhook.test(as: application, now: engine.configuration.now())
            try engine.backgroundDelivery.record(attempt, of: application)
            if options.json {
                try JSONOutput.print(Answer(isAcknowledged: attempt.isAcknowledged, reason: attempt.reason))
                if !attempt.isAcknowledged { throw ExitCode.failure }
            } else if let reason = attempt.reason {
                throw DaemonError(reason)
            } else {
                print("The webhook has acknowledged the test event.")
            }
        }
    }

    struct Attempts: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "attempts", abstract: "List the last hundred calls, the newest first.")

        @Argument(help: "The application’s bundle identifier.")
        var application: String

        @OptionGroup var options: StoreOptions

        private struct Answer: Encodable {
            var id: String
            var attempt: Int
            var date: String
            var isAcknowledged: Bool
            var reason: String?
        }

        func run() throws {
            let engine = try options.openEngine()
            let dates = DateOutput(calendar: RangeOptions.machineCalendar)
            guard let found = try engine.backgroundDelivery.application(application) else {
                throw UsageError.isNotRegistered(application)
            }
            let log = found.attempts.reversed()
            guard !options.json else {
                return try JSONOutput.print(
                    log.map {
                        Answer(
                            id: $0.delivery.uuidString, attempt: $0.attempt,
                            date: dates.iso(Date(timeIntervalSinceReferenceDate: $0.date)),
                            isAcknowledged: $0.isAcknowledged, reason: $0.reason)
                    })
            }
            guard !log.isEmpty else { return print("\(application) wasn’t called yet.") }
            var table = Table(["time", "attempt", "result"])
            for attempt in log {
                table.add([
                    dates.minute(Date(timeIntervalSinceReferenceDate: attempt.date)),
                    attempt.attempt == 0 ? "test" : "\(attempt.attempt)",
                    attempt.isAcknowledged ? "acknowledged" : attempt.reason ?? "not acknowledged",
                ])
            }
            print(table.text(), terminator: "")
        }
    }

    struct Alert: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "alert", abstract: "Show, add and remove what is reported to you through a webhook.",
            discussion: """
                Each alert is reported once, when it happens: a sample above or below a limit after one that wasn’t, a measure \
                that stands out (“hk highlights”), or a source without samples for some hours. Samples from before the alert \
                aren’t reported.

                  hk background alert org.example.site
                  hk background alert org.example.site Pulse --type hr --above 120 --unit bpm
                  hk background alert org.example.site Highlights --highlights
                  hk background alert org.example.site Watch --silence com.apple.health.1 --hours 24
                  hk background alert org.example.site Pulse --remove
                """)

        @Argument(help: "The application’s bundle identifier.")
        var application: String

        @Argument(help: "The name of the alert to add, replace or remove (default: list all).")
        var name: String?

        @Option(name: .long, help: "The type that has a limit.", completion: TypeCompletion.list)
        var type: String?

        @Option(name: .long, help: "The limit above which a sample is reported.")
        var above: Double?

        @Option(name: .long, help: "The limit below which a sample is reported.")
        var below: Double?

        @Option(name: .long, help: "The unit of the limit.")
        var unit: String?

        @Flag(name: .long, help: "Tell what stands out.")
        var highlights = false

        @Option(name: .long, help: "The bundle identifier of a source whose silence is reported.")
        var silence: String?

        @Option(name: .long, help: "The hours after which it is.")
        var hours: Double?

        @Flag(name: .long, help: "Remove the alert.")
        var remove = false

        @OptionGroup var options: StoreOptions

        func validate() throws {
            let kinds = [above != nil, below != nil, highlights, silence != nil, remove].count { $0 }
            guard kinds == (name == nil ? 0 : 1) else {
                throw ValidationError("Give a name and one of --above, --below, --highlights, --silence and --remove.")
            }
        }

        func run() throws {
            let engine = try options.openEngine(configuration: StoreOptions.configuration)
            let deliveries = engine.backgroundDelivery
            guard case .webhook? = try deliveries.application(application)?.target else {
                throw UsageError.hasNoWebhook(application)
            }
            if let name, remove {
                guard try deliveries.removeAlert(name, of: application) else {
                    throw UsageError("“\(application)” has no alert “\(name)”.")
                }
            } else if let name {
                let condition: AlertRequest.Condition =
                    above != nil ? .above : below != nil ? .below : highlights ? .highlight : .silence
                let identifier = try type.map {
                    try TypeName.resolve($0, dictionaries: engine.dictionaries()).identifier
                }
                // HealthKit's percent is a share.
                let limit = (above ?? below).map { unit == "%" ? $0 / 100 : $0 }
                let request = AlertRequest(
                    alert: name, condition: condition, type: identifier, limit: limit, unit: unit, source: silence,
                    hours: hours)
                try deliveries.setAlert(try HealthAlert(request, of: application, in: engine), of: application)
            }
            let alerts = try deliveries.application(application)?.alerts.map(\.request) ?? []
            guard !options.json else { return try JSONOutput.print(alerts) }
            guard !alerts.isEmpty else { return print("\(application) has no alerts.") }
            var table = Table(["alert", "told when"])
            for alert in alerts { table.add([alert.alert, words(alert)]) }
            print(table.text(), terminator: "")
        }

        private func words(_ alert: AlertRequest) -> String {
            switch alert.condition {
            case .above, .below:
                "\(TypeName.short(alert.type ?? "")) \(alert.condition) "
                    + NumberOutput.quantity(alert.limit ?? 0, alert.unit ?? "")
            case .highlight: "a measure stands out"
            case .silence: "\(alert.source ?? "") silent for \(NumberOutput.text(alert.hours ?? 0)) h"
            }
        }
    }
}

extension UsageError {
    fileprivate static func hasNoWebhook(_ application: String) -> UsageError {
        UsageError("“\(application)” has no webhook. List what is registered with “hk background”.")
    }
}

extension HealthEngine {
    /// An application's webhook, which this user lets the store call.
    ///
    /// - Throws: `UsageError` if it has none, or one that isn't confirmed on this machine.
    fileprivate func webhook(of application: String) throws -> WebhookTarget {
        guard let target = try backgroundDelivery.application(application)?.target,
            case .webhook(let url, let file, let options) = target
        else { throw UsageError.hasNoWebhook(application) }
        guard try targets.contains(target, of: application) else {
            throw UsageError("The webhook wasn’t registered on this machine. Allow it with “hk background confirm”.")
        }
        return WebhookTarget(url: url, secretFile: file, options: options ?? WebhookOptions())
    }
}
