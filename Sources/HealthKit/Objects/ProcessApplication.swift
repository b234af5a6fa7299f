import Foundation
import HealthModel
import Synchronization

/// The application of this process, whose source is `HKSource.default()`.
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

    /// Adds the application of a new store.
    static func add(_ application: SourceRevisionRecord) {
        let identifier = application.source.bundleIdentifier
        let isProgram = identifier == HKSourceRevision.ofThisProgram.record.source.bundleIdentifier
        let revision = isProgram ? nil : HKSourceRevision(application, isDefault: true)
        state.withLock { state in
            state.identifiers.insert(identifier)
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

extension HKSourceRevision {
    /// The revision of objects that were not read from a store.
    static let ofUnsavedObjects = HKSourceRevision(
        SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "", name: "")))

    /// The running program: its identity (`$HEALTHKIT_APPLICATION`, else the bundle identifier, else
    /// the executable's name), name, version, machine and operating system.
    package static let ofThisProgram: HKSourceRevision = {
        let process = ProcessInfo.processInfo
        let executable = process.processName.isEmpty ? "unknown" : process.processName
        let information = Bundle.main.infoDictionary ?? [:]
        let chosen = process.environment["HEALTHKIT_APPLICATION"].flatMap { $0.isEmpty ? nil : $0 }
        return HKSourceRevision(
            SourceRevisionRecord(
                source: SourceRecord(
                    bundleIdentifier: chosen ?? Bundle.main.bundleIdentifier ?? executable,
                    name: information["CFBundleName"] as? String ?? executable),
                version: information["CFBundleShortVersionString"] as? String, productType: HKDevice.machine,
                operatingSystemVersion: OperatingSystemVersionRecord(process.operatingSystemVersion)), isDefault: true)
    }()
}
