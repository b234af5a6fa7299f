import Foundation
import Logging
import Synchronization

/// Marks intervals and events of a subsystem.
///
/// They are messages of the level `trace`, so they are written only if the application's log handler has that level. The end of an interval
/// says how long it was.
public struct OSSignposter: Sendable {
    let logger: Logger

    /// A signposter that writes nothing.
    public static let disabled = OSSignposter(logger: Logger(disabled: ()))

    /// Creates a signposter without a subsystem.
    public init() {
        self.init(logger: Logger())
    }

    /// Creates a signposter for a subsystem and one of its categories.
    public init(subsystem: String, category: String) {
        self.init(logger: Logger(subsystem: subsystem, category: category))
    }

    /// Creates a signposter for a subsystem and a category with a meaning of its own.
    public init(subsystem: String, category: OSLog.Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    /// Creates a signposter with the subsystem and the category of a log.
    public init(logHandle: OSLog) {
        self.init(logger: logHandle.logger)
    }

    /// Creates a signposter with the subsystem and the category of a logger.
    public init(logger: Logger) {
        self.logger = logger
    }

    /// Whether intervals and events are written.
    public var isEnabled: Bool { logger.isEnabled(.trace) }

    /// A number that distinguishes intervals of the same name.
    public func makeSignpostID() -> OSSignpostID { OSSignpostID(OSSignpostID.last.add(1, ordering: .relaxed).newValue) }

    /// A number that is the same for the same object.
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID { OSSignpostID(log: .default, object: object) }

    /// Begins an interval.
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = ""
    ) -> OSSignpostIntervalState {
        write("begin", name, id, message)
        return OSSignpostIntervalState(id: id)
    }

    /// Ends an interval.
    public func endInterval(
        _ name: StaticString, _ state: OSSignpostIntervalState, _ message: @autoclosure () -> OSLogMessage = ""
    ) {
        write("end", name, state.signpostID) {
            let duration = ContinuousClock().now - state.start
            return OSLogMessage(stringLiteral: "\(duration) \(message().text)")
        }
    }

    /// Marks an event.
    public func emitEvent(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = ""
    ) {
        write("event", name, id, message)
    }

    /// Marks the time that a closure takes.
    public func withIntervalSignpost<Result>(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = "",
        around task: () throws -> Result
    ) rethrows -> Result {
        let state = beginInterval(name, id: id, message())
        defer { endInterval(name, state) }
        return try task()
    }

    func write(_ kind: String, _ name: StaticString, _ id: OSSignpostID, _ message: () -> OSLogMessage) {
        logger.write(.trace) {
            let parts = ["signpost", kind, "\(name)", id == .exclusive ? "" : "#\(id.rawValue)", message().text]
            return OSLogMessage(
                stringLiteral: parts.filter { !$0.isEmpty }.joined(separator: " ")
                    .trimmingCharacters(in: .whitespaces))
        }
    }
}

/// An interval that has begun.
public final class OSSignpostIntervalState: Sendable {
    let signpostID: OSSignpostID
    let start = ContinuousClock().now

    init(id: OSSignpostID) {
        signpostID = id
    }

    /// Represents an interval that was begun elsewhere.
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id: id) }
}

/// A number that distinguishes intervals of the same name.
public struct OSSignpostID: Hashable, Sendable {
    static let last = Atomic<UInt64>(1)

    /// The number.
    public let rawValue: UInt64

    /// Of an interval of which there is one at a time.
    public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
    /// Of no interval.
    public static let invalid = OSSignpostID(.max)
    /// Of no interval.
    public static let null = OSSignpostID(0)

    /// Creates an identifier with a number.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Creates an identifier that no other has.
    public init(log: OSLog) {
        self.init(Self.last.add(1, ordering: .relaxed).newValue)
    }

    /// Creates an identifier that is the same for the same object.
    public init(log: OSLog, object: AnyObject) {
        self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object))))
    }
}

/// What a signpost marks.
public enum OSSignpostType: UInt8, Sendable {
    /// An event.
    case event = 0
    /// The beginning of an interval.
    case begin = 1
    /// The end of an interval.
    case end = 2
}

/// Marks an event, or the beginning or the end of an interval.
///
/// - Parameter dso: Ignored; it is the image of the caller on Apple's systems.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {
    OSSignposter(logHandle: log).write("\(type)", name, signpostID) { "" }
}

/// Marks an event, or the beginning or the end of an interval, with a formatted message.
///
/// - Parameter dso: Ignored; it is the image of the caller on Apple's systems.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: any CVarArg...
) {
    OSSignposter(logHandle: log).write("\(type)", name, signpostID) { OSLogMessage(format: format, arguments) }
}
