import ArgumentParser
import Foundation
import HealthDaemon
import HealthEngine
import HealthModel
import HealthStorage

/// The status of a webhook's calls.
extension BackgroundCommand {
    /// `hk background test`.
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

    /// `hk background attempts`.
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
                    attempt.attempt == 0 ? "test" : "\(attempt.attempt)", attempt.reason ?? "acknowledged",
                ])
            }
            print(table.text(), terminator: "")
        }
    }
}

extension HealthEngine {
    /// An application's webhook, which this user lets the store call.
    ///
    /// - Throws: `UsageError` if it has none, or one that isn't confirmed on this machine.
    fileprivate func webhook(of application: String) throws -> WebhookTarget {
        guard let target = try backgroundDelivery.application(application)?.target,
            case .webhook(let url, let file, let options) = target
        else {
            throw UsageError("“\(application)” has no webhook. List what is registered with “hk background”.")
        }
        guard try targets.contains(target, of: application) else {
            throw UsageError("The webhook wasn’t registered on this machine. Allow it with “hk background confirm”.")
        }
        return WebhookTarget(url: url, secretFile: file, options: options ?? WebhookOptions())
    }
}
