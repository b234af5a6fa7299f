import Logging
import Synchronization

@testable import os

/// What a logger wrote.
final class Recording: Sendable {
    struct Line: Equatable {
        var level: Logging.Logger.Level
        var text: String
        var category: String?
    }

    private let written = Mutex<[Line]>([])

    var lines: [Line] { written.withLock { $0 } }
    var texts: [String] { lines.map(\.text) }

    func append(_ line: Line) {
        written.withLock { $0.append(line) }
    }

    /// A logger that writes to this recording.
    func logger(_ level: Logging.Logger.Level = .trace) -> os.Logger {
        os.Logger(
            Logging.Logger(label: "org.example.app") { _ in RecordingLogHandler(recording: self, logLevel: level) },
            category: "health")
    }
}

struct RecordingLogHandler: LogHandler {
    let recording: Recording
    var logLevel: Logging.Logger.Level
    var metadata: Logging.Logger.Metadata = [:]

    init(recording: Recording, logLevel: Logging.Logger.Level) {
        self.recording = recording
        self.logLevel = logLevel
    }

    subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let category: String? = if case .string(let name)? = metadata["category"] { name } else { nil }
        recording.append(
            Recording.Line(level: event.level, text: event.message.description, category: category))
    }
}
