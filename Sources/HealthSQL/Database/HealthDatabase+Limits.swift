import Dispatch
import GRDBSQLite

extension HealthDatabase {
    /// Limits what statements may take, for texts that come from elsewhere. A statement that exceeds a limit fails.
    ///
    /// - Parameters:
    ///   - seconds: The time from now on, for all statements together.
    ///   - valueBytes: The size of a single text or of bytes.
    public func limitStatements(seconds: Double, valueBytes: Int = 16 << 20) {
        let new = StatementDeadline(seconds: seconds)
        deadline = new
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes))
        sqlite3_progress_handler(
            connection, StatementDeadline.interval,
            { data in
                guard let data else { return 0 }
                return Unmanaged<StatementDeadline>.fromOpaque(data).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(new).toOpaque())
    }
}

/// The end of the time that statements may take.
final class StatementDeadline {
    /// The instructions of SQLite's virtual machine between two looks at the clock.
    static let interval: Int32 = 2_000

    private let seconds: Double
    private let end: UInt64

    init(seconds: Double) {
        self.seconds = seconds
        end = DispatchTime.now().uptimeNanoseconds &+ UInt64(max(0, seconds) * 1e9)
    }

    /// Whether the time is over.
    var isOver: Bool { DispatchTime.now().uptimeNanoseconds >= end }

    /// The error of a statement that was stopped.
    var error: SQLError {
        SQLError("The statement takes more than \(Int(seconds.rounded())) seconds. Select less, or use the table daily for sums by day")
    }
}
