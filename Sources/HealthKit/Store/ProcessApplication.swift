import Synchronization

/// The application of this process: what `HKSource.default()` and the source of an unsaved object are.
///
/// It is the running program, unless a store was configured with another application, as in tests: then it is the
/// application of the latest such store. The sources of all applications that stores were configured with are own
/// sources, so that tests with different applications can run in one process.
enum ProcessApplication {
    private struct State {
        /// The bundle identifiers of the applications of all stores.
        var identifiers: Set<String> = []
        /// The revision of the latest application other than the running program.
        var configured: HKSourceRevision?
    }

    private static let state = Mutex(State())

    /// Adds the application of a new store, except for that of another program in a test.
    static func add(_ configuration: HKHealthStore.Configuration) {
        guard !configuration.isOtherApplication else { return }
        let application = configuration.application
        let isProgram = application.bundleIdentifier == HKSourceRevision.ofThisProgram.fields.source.bundleIdentifier
        let revision = isProgram ? nil : HKSourceRevision(application.revision.fields, isDefault: true)
        state.withLock { state in
            state.identifiers.insert(application.bundleIdentifier)
            state.configured = revision ?? state.configured
        }
    }

    /// The source revision of the application.
    static var revision: HKSourceRevision { state.withLock { $0.configured } ?? .ofThisProgram }

    /// Returns whether a store of this process has the application with this bundle identifier.
    static func contains(_ bundleIdentifier: String) -> Bool {
        state.withLock { $0.identifiers.contains(bundleIdentifier) }
    }
}
