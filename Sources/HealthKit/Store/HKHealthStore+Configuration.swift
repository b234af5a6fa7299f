import Dispatch
public import Foundation
import HealthModel
import Synchronization

extension HKHealthStore {
    /// The settings that the original leaves to the system: the location of the store, the application, how authorization is
    /// requested, the clock and the calendar.
    public struct Configuration: Sendable {
        /// The location of the store.
        public var location: Location
        /// The application that saves samples and requests authorization.
        public var application: Application
        /// The way authorization requests are answered.
        public var authorization: Authorization
        /// The clock.
        public var clock: Clock
        /// Determines the days of activity summaries, and intervals without a calendar of their own.
        public var calendar: Calendar
        /// The maximum duration of the samples of a type, in seconds: saving a longer one fails with
        /// ``HKError/errorInvalidArgument``. Apple doesn't publish its limits; without an entry there is none, except
        /// for clinical documents.
        public var maximumDurations: [HKSampleType: TimeInterval] = [:]
        /// The key of an encrypted store in a file. A new store is encrypted with it. `nil` for the key in the
        /// environment, if there is one: a key file's path in `$HEALTHKIT_KEY_FILE`, or a passphrase in
        /// `$HEALTHKIT_PASSPHRASE`.
        public var encryptionKey: EncryptionKey?
        /// An open engine in place of the one at ``location``, for the test kit.
        var openEngine: OpenEngine?
        /// Whether the application is another one than the program's own, for the test kit: its source does not equal
        /// `HKSource.default()`.
        package var isOtherApplication = false

        /// Creates a configuration. The defaults are those of `HKHealthStore()`: the default file, this program,
        /// ``Authorization-swift.enum/automatic`` authorization, the system's clock and calendar.
        public init(
            location: Location = .default, application: Application = .current,
            authorization: Authorization = .automatic, clock: Clock = .system, calendar: Calendar = .autoupdatingCurrent
        ) {
            self.location = location
            self.application = application
            self.authorization = authorization
            self.clock = clock
            self.calendar = calendar
        }

        /// A store in memory that is not shared, for tests and previews. Everything is authorized.
        public static var inMemory: Configuration {
            Configuration(location: .inMemory(name: nil))
        }
    }
}

extension HKHealthStore.Configuration {
    /// The location of a store.
    public enum Location: Hashable, Sendable {
        /// ``HKHealthStore/Configuration-swift.struct/defaultStorePath``.
        case `default`
        /// A file, created if necessary, with the folders above it.
        case file(URL)
        /// A database, by its address, such as `postgresql://host/database?person=anna`. The program must have
        /// registered it, for example with `PostgreSQLStores.register()` of HealthStoragePostgreSQL.
        case database(String)
        /// In memory. Stores of the same name share their data as long as one of them exists; a store without a
        /// name is not shared.
        case inMemory(name: String?)
    }

    /// The key of an encrypted store. Stores of one program at the same location share what the first of them has
    /// opened.
    public enum EncryptionKey: Sendable {
        /// A key file, as `hk key make` writes it, which only its owner may be able to read.
        case file(URL)
        /// A passphrase.
        case passphrase(String)
    }

    /// The default store's file, or the address of its database.
    public static var defaultStorePath: String { defaultStorePath(in: ProcessInfo.processInfo.environment) }

    /// The default store's file, or the address of its database, in an environment: `$HEALTHKIT_STORE`, else
    /// `$XDG_DATA_HOME/openhealthkit/health.sqlite`, else the same under `~/.local/share`.
    static func defaultStorePath(in environment: [String: String]) -> String {
        if let path = environment["HEALTHKIT_STORE"], !path.isEmpty {
            return path
        }
        // According to the XDG base directory specification, a relative path is ignored.
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return folder + "/openhealthkit/health.sqlite"
        }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return home + "/.local/share/openhealthkit/health.sqlite"
    }
}

extension HKHealthStore.Configuration {
    /// An application: the source of what it saves. Authorization is stored by the bundle identifier.
    public struct Application: Hashable, Sendable {
        /// The bundle identifier, such as `com.example.steps`.
        public var bundleIdentifier: String
        /// The name shown to people.
        public var name: String
        /// The version, if any.
        public var version: String?

        /// Creates an application; the default for the name is the bundle identifier.
        public init(bundleIdentifier: String, name: String? = nil, version: String? = nil) {
            self.bundleIdentifier = bundleIdentifier
            self.name = name ?? bundleIdentifier
            self.version = version
        }

        /// This program: `$HEALTHKIT_APPLICATION`, else its bundle identifier, else the name of its
        /// executable.
        public static var current: Application {
            let source = HKSourceRevision.ofThisProgram
            return Application(
                bundleIdentifier: source.source.bundleIdentifier, name: source.source.name, version: source.version)
        }

        /// The source revision of the samples that the application saves.
        var revision: HKSourceRevision {
            var record = HKSourceRevision.ofThisProgram.record
            record.source = SourceRecord(bundleIdentifier: bundleIdentifier, name: name)
            record.version = version
            return HKSourceRevision(record)
        }
    }
}

extension HKHealthStore.Configuration {
    /// The way authorization requests are answered.
    public enum Authorization: Sendable {
        /// ``allowAll`` for a store in memory and where `HEALTHKIT_AUTHORIZATION` is `allow`, else
        /// ``ask``.
        case automatic
        /// The stored decisions apply. The person is asked about other types on the terminal; without a terminal
        /// they are denied, and a log line shows how to authorize them.
        case ask
        /// Everything is authorized; nothing is stored.
        case allowAll
        /// The stored decisions apply. The closure decides about other types, on a background thread.
        case handler(@Sendable (AuthorizationRequest) -> AuthorizationAnswer)
    }

    /// The undecided types of an authorization request.
    public struct AuthorizationRequest: Sendable {
        /// The application that requests authorization.
        public var application: Application
        /// Types to write.
        public var share: Set<HKSampleType>
        /// Types to read.
        public var read: Set<HKObjectType>
        /// The identities of the requested objects, if the type in ``read`` has per-object authorization.
        public var objects: Set<UUID> = []
    }

    /// The authorized part of a request; the rest is denied.
    public struct AuthorizationAnswer: Sendable {
        /// Types that may be written.
        public var share: Set<HKSampleType>
        /// Types that may be read.
        public var read: Set<HKObjectType>
        /// Objects that may be read; all requested ones if ``read`` contains their type.
        public var objects: Set<UUID>
        /// The start of the history that may be read, for all sample types of ``read``: samples that end before it are
        /// left out. `nil` for all history.
        public var earliestSampleDate: Date?

        /// Creates an answer. Types that were not requested are ignored.
        public init(
            share: Set<HKSampleType>, read: Set<HKObjectType>, objects: Set<UUID> = [], earliestSampleDate: Date? = nil
        ) {
            self.share = share
            self.read = read
            self.objects = objects
            self.earliestSampleDate = earliestSampleDate
        }

        /// Authorizes everything that was requested.
        public static func all(_ request: AuthorizationRequest) -> AuthorizationAnswer {
            AuthorizationAnswer(share: request.share, read: request.read)
        }

        /// Authorizes nothing.
        public static var none: AuthorizationAnswer { AuthorizationAnswer(share: [], read: []) }
    }
}

extension HKHealthStore.Configuration {
    /// The clock of a store. Tests use their own.
    public struct Clock: Sendable {
        /// Returns the current date.
        public var now: @Sendable () -> Date
        /// Runs a closure once, on any thread, after a number of seconds.
        public var after: @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void

        /// Creates a clock. The closures may be called from any thread.
        public init(
            now: @escaping @Sendable () -> Date,
            after: @escaping @Sendable (TimeInterval, @escaping @Sendable () -> Void) -> Void
        ) {
            self.now = now
            self.after = after
        }

        /// The system's clock.
        public static let system = Clock(
            now: { Date() },
            after: { seconds, body in
                DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: body)
            })
    }
}
