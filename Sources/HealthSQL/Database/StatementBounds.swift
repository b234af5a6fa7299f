import CSQLiteBounds
import Dispatch
import GRDBSQLite

/// The bounds of what SQLite does for statements, or with a file, of somebody who isn't trusted: the time, and the memory and
/// the temporary files of everything that happens on one thread.
///
/// SQLite asks this process's allocator for memory, so that a statement can't have more by any function, join or row, also
/// while it is prepared.
package final class StatementBounds {
    /// The instructions of SQLite's virtual machine between two checks of the time: few, because each can be a call with
    /// long texts.
    static let interval: Int32 = 200
    /// The memory of SQLite, and of the pages that its tables hold. The answer takes more.
    package static let memory = 64 << 20
    private static let files = 256 << 20

    private let seconds: Double
    /// The end, however long the pauses are.
    private let latest: UInt64
    private let pause: (UInt64) -> UInt64
    /// At an address that doesn't change.
    private let bounds: UnsafeMutablePointer<sqlite_bounds>

    /// - Parameters:
    ///   - seconds: The time from now on; infinity for no limit.
    ///   - pause: Called with the uptime in nanoseconds when the time is checked. It can wait, and returns for how many
    ///     nanoseconds it did. At most `seconds` of them in total don't count.
    package init(seconds: Double, pause: @escaping (UInt64) -> UInt64 = { _ in 0 }) {
        let (now, duration) = (DispatchTime.now().uptimeNanoseconds, UInt64(min(max(0, seconds), 1e9) * 1e9))
        self.seconds = seconds
        self.pause = pause
        latest = now &+ duration &+ duration
        bounds = .allocate(capacity: 1)
        bounds.initialize(to: sqlite_bounds())
        bounds.pointee.memory_limit = Int64(Self.memory)
        bounds.pointee.written_limit = Int64(Self.files)
        bounds.pointee.end = now &+ duration
    }

    deinit {
        leave()
        bounds.deallocate()
    }

    /// Counts what happens on this thread from now on.
    package func enter() { sqlite_bounds_enter(bounds) }

    /// Counts nothing more.
    package func leave() { sqlite_bounds_enter(nil) }

    /// Returns whether the time is over, after a pause if others wait.
    func isOver() -> Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        let paused = pause(now)
        bounds.pointee.end = min(bounds.pointee.end &+ paused, latest)
        return now &+ paused >= bounds.pointee.end
    }

    /// The most bytes that were held at a time, for tests.
    package var mostMemory: Int { Int(bounds.pointee.most_memory) }

    /// The error of a statement that was stopped, or `nil` if no bound was reached.
    package var error: SQLError? {
        switch Int(bounds.pointee.reached) {
        case Int(SQLITE_BOUNDS_MEMORY):
            SQLError(
                "The statement needs more than \(Self.memory >> 20) MB of memory. Select fewer columns or rows, or shorter texts"
            )
        case Int(SQLITE_BOUNDS_FILES):
            SQLError(
                "The statement sorts more than \(Self.files >> 20) MB. Select fewer columns or rows, or shorter texts")
        default:
            DispatchTime.now().uptimeNanoseconds >= bounds.pointee.end
                ? SQLError(
                    "The statement takes more than \(Int(seconds.rounded())) seconds. Select less, or use the table daily for sums by day"
                ) : nil
        }
    }
}
