import Logging

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#endif

/// Writes messages of an application's subsystem and category, as Apple's `os.Logger` does, with swift-log.
///
/// The subsystem is the label of the swift-log logger, and the category is metadata, so that the application decides with
/// `LoggingSystem.bootstrap` where messages go; swift-log's default is the standard error. Levels map to swift-log's: `default` to `notice`,
/// `fault` and `critical` to `critical`. What an interpolation doesn't declare public is not written; see ``OSLogPrivacy``.
public struct Logger: Sendable {
    /// The logger of swift-log; none if nothing is written.
    let destination: Logging.Logger?

    /// Creates a logger without a subsystem.
    public init() {
        self.init(subsystem: "", category: "")
    }

    /// Creates a logger for a subsystem, usually in reverse DNS notation, and one of its categories.
    public init(subsystem: String, category: String) {
        self.init(Logging.Logger(label: subsystem.isEmpty ? "default" : subsystem), category: category)
    }

    /// Creates a logger with the subsystem and the category of a log.
    public init(_ log: OSLog) {
        self = log.logger
    }

    /// Creates a logger that writes to one of swift-log.
    init(_ destination: Logging.Logger, category: String) {
        var destination = destination
        if !category.isEmpty { destination[metadataKey: "category"] = "\(category)" }
        self.destination = destination
    }

    /// Creates a logger that writes nothing.
    init(disabled: Void) {
        destination = nil
    }

    /// Writes a message at the default level.
    public func log(_ message: @autoclosure () -> OSLogMessage) { write(.notice, message) }

    /// Writes a message at a level.
    public func log(level: OSLogType, _ message: @autoclosure () -> OSLogMessage) { write(level.level, message) }

    /// Writes a message at the level `trace`.
    public func trace(_ message: @autoclosure () -> OSLogMessage) { write(.trace, message) }

    /// Writes a message at the level `debug`.
    public func debug(_ message: @autoclosure () -> OSLogMessage) { write(.debug, message) }

    /// Writes a message at the level `info`.
    public func info(_ message: @autoclosure () -> OSLogMessage) { write(.info, message) }

    /// Writes a message at the default level.
    public func notice(_ message: @autoclosure () -> OSLogMessage) { write(.notice, message) }

    /// Writes a message at the level `warning`.
    public func warning(_ message: @autoclosure () -> OSLogMessage) { write(.warning, message) }

    /// Writes a message at the level `error`.
    public func error(_ message: @autoclosure () -> OSLogMessage) { write(.error, message) }

    /// Writes a message at the level `critical`.
    public func critical(_ message: @autoclosure () -> OSLogMessage) { write(.critical, message) }

    /// Writes a message at the level `critical`, which is that of a fault.
    public func fault(_ message: @autoclosure () -> OSLogMessage) { write(.critical, message) }

    /// Whether messages of a level are written.
    func isEnabled(_ level: Logging.Logger.Level) -> Bool {
        destination.map { $0.logLevel <= level } ?? false
    }

    /// A message is composed only if it is written.
    func write(_ level: Logging.Logger.Level, _ message: () -> OSLogMessage) {
        guard let destination, isEnabled(level) else { return }
        destination.log(level: level, "\(message().text)")
    }
}
