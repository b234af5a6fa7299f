/// How a store file is opened. The defaults are right for an application and for a command line.
public struct SQLiteOptions: Sendable {
    /// How long a call waits, in seconds, for another process to finish writing before it throws
    /// `StorageError` `.busy`.
    public var busyTimeout: Double = 10
    /// How many threads may read at the same time; more wait. At least 1.
    public var maximumReaders = 8
    /// How often, in seconds, to look for other processes' commits while somebody observes them.
    public var pollInterval: Double = 0.2
    /// Whether missing directories above the file are made.
    public var createsDirectories = false

    /// Makes the default options.
    public init() {}
}
