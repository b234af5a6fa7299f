import Foundation
import HealthDaemon
import HealthEngine
import HealthStorage
import HealthStorageSQLite
import Logging
import ServiceLifecycle
import Synchronization

/// Calls of webhooks by the server itself, of each store for which no `hk daemon` runs.
///
/// Of many people, it delivers for those whose webhooks were once registered or listed here or delivered by a daemon,
/// which leaves a lock file: other stores aren't opened to find out, and those without webhooks once. Databases aren't
/// delivered, because nothing says whether a daemon on another machine does that.
final class WebhookDelivery: Service {
    private struct State {
        var isServing = false
        /// The people who had no webhook when their store was looked at.
        var idle: Set<String> = []
        var running: [String: (lock: HeldLock, task: Task<Void, Never>)] = [:]
    }

    private final class HeldLock: Sendable {
        let lock: DaemonLock

        init(path: String) throws { lock = try DaemonLock(path: path, givesWay: true) }
    }

    private let configuration: AppConfiguration
    private let directory: StoreDirectory
    private let pool: StorePool
    private let threads = StoreThreads()
    private let state = Mutex(State())

    init(configuration: AppConfiguration, directory: StoreDirectory, pool: StorePool) {
        (self.configuration, self.directory, self.pool) = (configuration, directory, pool)
    }

    /// Delivers until the server shuts down. Calls that haven't been answered by then are repeated by the next process.
    func run() async throws {
        state.withLock { $0.isServing = true }
        await cancelWhenGracefulShutdown { [self] in
            var round = 0
            while !Task.isCancelled {
                let looksForStores = round % 30 == 0
                try? await pool.run { self.tidy(looksForStores: looksForStores) }
                round += 1
                try? await Task.sleep(for: .seconds(2))
            }
        }
        let tasks = state.withLock { state in
            state.isServing = false
            return state.running.values.map(\.task)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Leaves stores to daemons that were started since, and takes those that no daemon delivers any more.
    private func tidy(looksForStores: Bool) {
        let (running, idle) = state.withLock { ($0.running, $0.idle) }
        for one in running.values where one.lock.lock.isWanted { one.task.cancel() }
        // No store is opened before something was confirmed on this machine.
        guard looksForStores, let folder = configuration.webhookFolder, FileManager.default.fileExists(atPath: folder)
        else { return }
        for person in configuration.location.localPeople where running[person] == nil {
            guard let store = configuration.location.storePath(of: person) else { return }
            let isOnly = if case .store = configuration.location { true } else { false }
            // While a daemon runs, a webhook may be registered for it.
            let isIdle = idle.contains(person) && !DaemonLock.isHeld(path: Self.lockPath(ofStore: store))
            if isIdle, !isOnly { continue }
            // A store whose key isn't known, for example, is tried again.
            if FileManager.default.fileExists(atPath: isOnly ? store : Self.lockPath(ofStore: store)) {
                if let store = try? directory.store(of: person) { start(store) }
            }
        }
    }

    /// Begins to deliver for a store with webhooks, unless this or another process does. Reads the disk, so it must run
    /// on the pool.
    func start(_ store: PersonStore) {
        guard let folder = configuration.webhookFolder, let path = lockPath(of: store.person),
            let applications = try? store.engine.backgroundDelivery.applications().values
        else { return }
        let isIdle = !applications.contains { if case .webhook? = $0.target { true } else { false } }
        let targets = ConfirmedTargets(folder: folder, store: store.engine.identity().uuid)
        state.withLock { state in
            if isIdle { state.idle.insert(store.person) } else { state.idle.remove(store.person) }
            guard !isIdle, state.isServing, state.running[store.person] == nil,
                state.running.count < configuration.limits.openStores, let lock = try? HeldLock(path: path)
            else { return }
            let task = Task(executorPreference: threads) { await self.deliver(store, targets) }
            state.running[store.person] = (lock, task)
        }
    }

    /// The people whose webhooks this server calls.
    var people: Set<String> { state.withLock { Set($0.running.keys) } }

    /// Whether a daemon or this server delivers the changes of a person's store; `nil` for one in a database, and for a
    /// fictional person.
    func isDelivering(_ person: String) -> Bool? { lockPath(of: person).map { DaemonLock.isHeld(path: $0) } }

    private func deliver(_ store: PersonStore, _ targets: ConfirmedTargets) async {
        var options = DeliveryDaemon.Options(store: store.path, targets: targets)
        let logger = configuration.logger
        options.executor = threads
        options.report = { event in
            guard [.missed, .unconfirmed, .storeFailed].contains(event.kind) else { return }
            logger.notice(
                "A webhook wasn’t called",
                metadata: ["application": "\(event.application ?? "")", "reason": "\(event.reason ?? "\(event.kind)")"])
        }
        do {
            try await DeliveryDaemon(engine: store.engine, options: options).runInServer()
        } catch {
            let reason = (error as? DaemonError)?.description ?? SafeErrorText.text(error)
            logger.error("Webhooks aren’t called", metadata: ["error": "\(reason)"])
        }
        // Released, the lock is another process's, or this one's again within a minute.
        state.withLock { $0.running[store.person] = nil }
    }

    /// The lock of a person's store; `nil` for one in a database, and for a fictional person, who has no webhooks.
    private func lockPath(of person: String) -> String? {
        person == DemoStores.person ? nil : configuration.location.storePath(of: person).map(Self.lockPath)
    }

    private static func lockPath(ofStore path: String) -> String {
        DaemonLock.path(ofStore: SQLiteStorage.pathOfFile(at: path))
    }
}

/// Threads for tasks that read and write stores, which a thread of Swift's own pool must not wait for.
private final class StoreThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "org.openhealthkit.webhooks", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
