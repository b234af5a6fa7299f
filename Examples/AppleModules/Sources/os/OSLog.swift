public import Foundation
import Logging

/// The subsystem and category of messages.
// Unchecked: a log and its logger never change after it was created.
open class OSLog: NSObject, @unchecked Sendable {
    /// A category with a meaning of its own.
    public struct Category: Sendable {
        /// The category's name.
        public let rawValue: String
        /// Events that a person looks for in a recording.
        public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
        /// Signposts that are recorded only while a tool records.
        public static let dynamicTracing = Category(rawValue: "DynamicTracing")
        /// Signposts that are recorded with a backtrace.
        public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
    }

    /// The log without a subsystem.
    public static let `default` = OSLog(Logger())
    /// A log to which nothing is written.
    public static let disabled = OSLog(Logger(disabled: ()))

    let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Creates a log for a subsystem, usually in reverse DNS notation, and one of its categories.
    public convenience init(subsystem: String, category: String) {
        self.init(Logger(subsystem: subsystem, category: category))
    }

    /// Creates a log for a subsystem and a category with a meaning of its own.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    /// Whether messages of a level are written.
    open func isEnabled(type: OSLogType) -> Bool {
        logger.isEnabled(type.level)
    }

    /// Whether signposts are written, which have the level `trace`.
    open var signpostsEnabled: Bool {
        logger.isEnabled(.trace)
    }
}

/// The level of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The number of the level on Apple's systems.
    public let rawValue: UInt8

    /// Creates a level from its number on Apple's systems.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Creates a level from its number on Apple's systems.
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// What is worth knowing later; swift-log's `notice`.
    public static let `default` = OSLogType(0)
    /// What may help to understand an error.
    public static let info = OSLogType(1)
    /// What helps while the code is written.
    public static let debug = OSLogType(2)
    /// An error of the process.
    public static let error = OSLogType(16)
    /// An error of the code or of the system; swift-log's `critical`.
    public static let fault = OSLogType(17)

    var level: Logging.Logger.Level {
        switch self {
        case .info: .info
        case .debug: .debug
        case .error: .error
        case .fault: .critical
        default: .notice
        }
    }
}

/// Writes a message at a level.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: @autoclosure () -> OSLogMessage) {
    log.logger.write(type.level, message)
}

/// Writes a message at the default level.
public func os_log(_ message: @autoclosure () -> OSLogMessage) {
    OSLog.default.logger.write(.notice, message)
}

/// Writes a formatted message, such as `os_log("%{public}@: %d", log: log, type: .info, name, count)`.
///
/// - Parameter dso: Ignored; it is the image of the caller on Apple's systems.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    log.logger.write(type.level) { OSLogMessage(format: message, arguments) }
}

/// Writes a formatted message at a level.
///
/// - Parameter dso: Ignored; it is the image of the caller on Apple's systems.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: any CVarArg...
) {
    log.logger.write(type.level) { OSLogMessage(format: message, arguments) }
}
