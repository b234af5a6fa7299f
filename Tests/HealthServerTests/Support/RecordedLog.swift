import Logging
import ProcessTestSupport
import Synchronization

/// Everything that a server logs, at every level, in memory.
final class RecordedLog: Sendable {
    private let recorded = Mutex<[String]>([])

    /// The messages with their metadata and source.
    var lines: [String] { recorded.withLock { $0 } }

    /// A logger that writes here at the most verbose level.
    func logger() -> Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    /// The messages that look as if they had health data in them.
    var suspicious: [String] { ChildMessages.suspicious(lines) }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            let error = event.error.map { " error=\($0)" } ?? ""
            let line =
                "\(event.level) \(event.message)\(error) \(all.map { "\($0.key)=\($0.value)" }.joined(separator: " ")) [\(event.source)]"
            log.recorded.withLock { $0.append(line) }
        }
    }
}
