public import Foundation
import HealthEngine

extension HKHealthStore {
    /// What the original leaves to the system: where the store is, who the application is, how
    /// permission is decided, and which clock and calendar count.
    public struct Configuration: Sendable {
        /// Where the data is.
        public var location: Location
        /// On whose behalf samples are saved and permission is asked.
        public var application: Application
        /// How requests for permission are answered.
        public var authorization: Authorization
        /// What time it is, and how waiting is done.
        public var clock: Clock
        /// Cuts days for activity summaries, and intervals that name no calendar of their own.
        public var calendar: Calendar
        /// An engine that is open already, in place of the one at ``location``: for the test kit.
        var engine: HealthEngine?

        /// Like `HKHealthStore()`: the default file, this program, the environment's permission
        /// (``Authorization-swift.enum/automatic``), the system's clock and calendar.
        public init(
            location: Location = .default, application: Application = .current,
            authorization: Authorization = .automatic, clock: Clock = .system,
            calendar: Calendar = .autoupdatingCurrent
        ) {
            self.location = location
            self.application = application
            self.authorization = authorization
            self.clock = clock
            self.calendar = calendar
        }

        /// A store of its own that ends with its last user: for tests and previews. All is allowed.
        public static var inMemory: Configuration {
            Configuration(location: .inMemory(name: nil))
        }
    }
}
