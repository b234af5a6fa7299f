package import Foundation
package import HealthEngine
import HealthStorage
import HealthStorageFiles
import UnixSignals

/// Delivers changes to applications that don't run: starts their programs and calls their webhooks when data of a type
/// arrives that they registered for, until they acknowledge it.
///
/// What is due is decided by `BackgroundDeliveryStore` over stored values, so that ending a daemon at any moment loses
/// no delivery. One daemon per store; see ``DaemonLock``.
package struct DeliveryDaemon: Sendable {
    /// How a daemon works.
    package struct Options: Sendable {
        /// The store as programs open it: the value of `HEALTHKIT_STORE`.
        package var store: String
        /// The file in which the next daemon finds the programs that this one has started; `nil` if it only calls
        /// webhooks.
        package var programsFile: String?
        /// The programs and addresses that the store may start and call; no others are.
        package var targets: ConfirmedTargets
        /// Returns the file that receives what the program of an application prints.
        package var outputFile: @Sendable (_ bundleIdentifier: String) throws -> String
        /// The seconds that a program has to acknowledge a delivery, a day at most.
        package var programTimeLimit: Double = 300
        /// The seconds that a webhook has to answer, a day at most.
        package var webhookTimeLimit: Double = 30
        /// The seconds to wait after a change, so that changes in close succession come in one delivery, and a program
        /// that runs can acknowledge them itself; a day at most.
        package var delay: Double = 2
        /// Receives what happens, on any thread.
        package var report: @Sendable (DeliveryEvent) -> Void = { _ in }
        /// Reads what stands out, for alerts of highlights.
        package var standingOut: @Sendable (HealthEngine) async throws -> Set<String> = AlertWatch.standingOut
        /// The threads that read the store for calls and alerts; `nil` for Swift's own.
        package var executor: (any TaskExecutor)?
        /// Called once, on any thread, when what was due at the start has begun and the daemon waits for changes.
        package var onWaiting: @Sendable () -> Void = {}

        /// The longest time that can be given: a day, in seconds.
        package static let longestTime: Double = 86_400

        /// Creates options.
        package init(
            store: String, programsFile: String? = nil, targets: ConfirmedTargets,
            outputFile: @escaping @Sendable (String) throws -> String = { $0 }
        ) {
            (self.store, self.programsFile, self.targets) = (store, programsFile, targets)
            self.outputFile = outputFile
        }

        /// Whether it starts this program, or calls this webhook, if it is confirmed.
        func reaches(_ target: DeliveryTarget) -> Bool {
            if case .program = target { programsFile != nil } else { true }
        }
    }

    private let engine: HealthEngine
    private let options: Options
    private let file: FilePlace?

    /// Creates a daemon for a store that was just opened. The engine's clock decides what is due.
    package init(engine: HealthEngine, options: Options) {
        self.engine = engine
        self.options = options
        file = StorageProviders.isAddress(options.store) ? nil : FilePlace(options.store)
    }

    /// Delivers until the process receives SIGTERM or SIGINT or the task is canceled, then ends the programs it
    /// started. What they haven't acknowledged is delivered again by the next daemon.
    ///
    /// - Throws: ``DaemonError`` if the store's file was replaced or removed: what is opened isn't the store any more.
    package func run() async throws {
        try await run(once: false)
    }

    /// Calls webhooks until the task is canceled, in a process that writes to the store as well and handles signals
    /// itself.
    ///
    /// - Throws: As ``run()``.
    package func runInServer() async throws {
        try await run(once: false, isAlone: false)
    }

    /// Delivers what is due, each type to each application once, and returns when it was acknowledged or has failed.
    package func runOnce() async throws {
        try await run(once: true)
    }

    private func run(once: Bool, isAlone: Bool = true) async throws {
        let (signals, sender) = AsyncStream.makeStream(of: DeliverySignal.self)
        let subscription = engine.storage.observeForeignCommits { sender.yield(.changed) }
        let commits = isAlone ? nil : engine.observeCommits { _ in sender.yield(.changed) }
        // Before the first delivery: a daemon that is stopped ends the programs that it has started.
        let unixSignals = isAlone ? await UnixSignalsSequence(trapping: .sigterm, .sigint) : nil
        let trapped = unixSignals.map { signals in
            Task { for await _ in signals { sender.yield(.stop) } }
        }
        let watching = file.map { file in
            Task {
                while !Task.isCancelled, file.isCurrent { try? await Task.sleep(for: .seconds(2)) }
                if !Task.isCancelled { sender.yield(.storeReplaced) }
            }
        }
        let webhooks = WebhookClient()
        var loop = DeliveryLoop(engine: engine, options: options, webhooks: webhooks, sender: sender)
        let result: Result<Void, any Error>
        do {
            try await withTaskCancellationHandler {
                try loop.recover()
                try await loop.run(signals, once: once)
            } onCancel: {
                sender.yield(.stop)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        subscription.cancel()
        commits?.cancel()
        trapped?.cancel()
        watching?.cancel()
        sender.finish()
        try? await webhooks.shutdown()
        try result.get()
    }
}

/// Something that happened to a delivery, for a log. It names applications, and no data.
package struct DeliveryEvent: Hashable, Sendable, Codable {
    /// The kind of an event.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// A program was started, or a webhook is called.
        case started
        /// The program runs already, and is expected to acknowledge the changes.
        case alreadyRunning
        /// Everything was acknowledged.
        case acknowledged
        /// The attempt failed; see ``DeliveryEvent/reason``.
        case missed
        /// The attempt ended with the daemon, and isn't counted.
        case interrupted
        /// The types were suspended or unregistered during the attempt.
        case withdrawn
        /// Nothing is delivered: the program or webhook was registered elsewhere, and isn't confirmed here.
        case unconfirmed
        /// The program ended after it had acknowledged.
        case ended
        /// The store can't be read or written; the daemon tries again.
        case storeFailed
    }

    /// The kind of the event.
    package var kind: Kind
    /// The application; `nil` for an event of the daemon itself.
    package var application: String?
    /// The delivery.
    package var delivery: UUID?
    /// The number of the attempt.
    package var attempt: Int?
    /// Why an attempt failed, a sentence without a period.
    package var reason: String?
}

/// A signal to which a daemon reacts.
enum DeliverySignal: Sendable {
    /// Another process committed.
    case changed
    /// The time for which the daemon waited has come.
    case time(Int)
    /// A program ended.
    case exited(String, ChildProcess, status: String?)
    /// The processes that a program had left behind have ended, too.
    case gone(String)
    /// A webhook answered, or didn't; then the reason is given.
    case answered(BackgroundDeliveryStore.Attempt, failure: String?)
    /// Highlights were read: what stands out, or `nil` if they can't be read.
    case highlights(Set<String>?)
    /// The path of the store names another file, or none.
    case storeReplaced
    /// The daemon is to end.
    case stop
}
