import Foundation
public import HealthKit

/// Sends what a HealthKit store contains, and whatever changes in it, to a server, and writes what others have changed
/// there.
///
/// A pass reads every type with anchored queries, sends samples and deletions in batches, one at a time, and moves the
/// anchors when the server has acknowledged a batch. However a pass ends, the next one continues there; what is
/// sent twice is recognized by the server.
///
/// ```swift
/// let sync = HealthStoreSync(
///     store: HKHealthStore(), server: SyncServer(url: url, token: token),
///     progress: DefaultsSyncProgressStore())
/// try await sync.requestAuthorization()
/// await sync.startObserving()
/// ```
public actor HealthStoreSync {
    /// The settings of a sync.
    public struct Options: Sendable {
        /// The name of this device for people.
        public var deviceName: String
        /// The maximum number of samples to read at once.
        public var pageSize: Int
        /// The approximate maximum number of bytes in a batch.
        public var batchSize: Int
        /// When to try again.
        public var retry: SyncRetryPolicy
        /// Called after every pass that observing has started, with its result.
        public var onPass: @Sendable (Result<SyncReport, any Error>) -> Void

        /// Creates settings.
        public init(
            deviceName: String = "iPhone", pageSize: Int = 1_000, batchSize: Int = 1_000_000,
            retry: SyncRetryPolicy = SyncRetryPolicy(),
            onPass: @escaping @Sendable (Result<SyncReport, any Error>) -> Void = { _ in }
        ) {
            self.deviceName = deviceName
            self.pageSize = pageSize
            self.batchSize = batchSize
            self.retry = retry
            self.onPass = onPass
        }
    }

    /// The store that is read.
    public nonisolated let store: HKHealthStore
    /// The types that are read.
    public nonisolated let types: Set<HKSampleType>
    nonisolated let options: Options
    let server: SyncServer
    let progress: any SyncProgressStore
    let sender: BatchSender

    private var running: Task<SyncReport, any Error>?
    private var waiting: Task<SyncReport, any Error>?
    /// Ends with the last pass that was started, sending or receiving: both keep their progress in one place.
    private var lastPass: Task<Void, Never>?
    var observer: HKObserverQuery?

    /// Creates a sync. Nothing is read or sent yet.
    /// - Parameters:
    ///   - store: The store to read. What the person does not permit is not sent.
    ///   - types: The types; by default all of them except for clinical records.
    ///   - server: The server and the person whose store receives the data.
    ///   - progress: Where to keep anchors between launches, used by nothing else.
    public init(
        store: HKHealthStore, types: Set<HKSampleType> = SyncTypes.all, server: SyncServer,
        progress: any SyncProgressStore, options: Options = Options(), transport: any SyncTransport = HTTPTransport()
    ) {
        self.store = store
        self.types = types
        self.server = server
        self.progress = progress
        self.options = options
        sender = BatchSender(server: server, transport: transport, policy: options.retry)
    }

    /// Asks the person for permission to read the types.
    ///
    /// Correlations are permitted with the types of their objects. Types whose objects are permitted one by one,
    /// such as vision prescriptions, are not asked for.
    ///
    /// - Throws: Errors of `HKHealthStore.requestAuthorization(toShare:read:)`.
    public func requestAuthorization() async throws {
        var wanted = Set<HKObjectType>(
            types.filter { !($0 is HKCorrelationType) && !$0.requiresPerObjectAuthorization() })
        wanted.insert(HKObjectType.activitySummaryType())
        try await store.requestAuthorization(toShare: [], read: wanted)
    }

    /// Sends everything that is new, and returns when the server has acknowledged it.
    ///
    /// While a pass is running, a call waits for it to end and for one more pass, which all waiting calls share: what
    /// was saved before the call has been sent when it returns.
    ///
    /// - Throws: ``SyncError``; errors of HealthKit, such as `errorDatabaseInaccessible` while the phone is locked;
    ///   `CancellationError`.
    @discardableResult
    public func sync() async throws -> SyncReport {
        if let waiting { return try await result(of: waiting) }
        guard let running else {
            let task = Task { try await self.pass() }
            running = task
            return try await result(of: task)
        }
        let next = Task {
            _ = await running.result
            self.beginWaiting()
            return try await self.pass()
        }
        waiting = next
        return try await result(of: next)
    }

    private func result<Value: Sendable>(of task: Task<Value, any Error>) async throws -> Value {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func beginWaiting() {
        running = waiting
        waiting = nil
    }

    private func pass() async throws -> SyncReport {
        defer { if waiting == nil { running = nil } }
        let pass = SyncPass(
            store: store, types: SyncTypes.inOrder(types), destination: server.destination, progress: progress,
            options: options, sender: sender)
        return try await afterOthers { try await pass.run() }
    }

    /// Runs a pass when those that were started before have ended.
    func afterOthers<Value: Sendable>(_ pass: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let previous = lastPass
        let task = Task {
            await previous?.value
            try Task.checkCancellation()
            return try await pass()
        }
        lastPass = Task { _ = await task.result }
        return try await result(of: task)
    }
}

/// The result of a pass.
public struct SyncReport: Hashable, Sendable {
    /// The number of samples that were sent.
    public var samples = 0
    /// The number of deletions that were sent.
    public var deletions = 0
    /// The number of batches that were acknowledged.
    public var batches = 0
    /// Samples that the server can't store, with reasons. They are not sent again.
    public var rejected: [SyncAcknowledgement.Rejection] = []
    /// The identifiers of types that the person has not been asked about.
    public var unauthorized: Set<String> = []
    /// Whether activity summaries were left out because HealthKit doesn't compute that many days, as with a sample that
    /// lasts for millennia.
    public var lacksActivitySummaries = false
    /// The number of times everything was sent again because the server had lost what it acknowledged.
    public var restarts = 0

    /// Creates a report of nothing.
    public init() {}
}
