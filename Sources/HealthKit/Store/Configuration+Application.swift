import Foundation
import HealthModel

extension HKHealthStore.Configuration {
    /// Who an application is. The store signs what the application saves with it and keeps permission by
    /// the bundle identifier.
    public struct Application: Hashable, Sendable {
        /// The identity permission is kept by, such as `com.example.steps`.
        public var bundleIdentifier: String
        /// The name shown to people.
        public var name: String
        /// The application's version, if it has one.
        public var version: String?

        /// Makes an application; without a name it is shown by its bundle identifier.
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
                bundleIdentifier: source.source.bundleIdentifier, name: source.source.name,
                version: source.version)
        }

        /// The source revision that the application's samples get.
        var revision: SourceRevisionRecord {
            var record = HKSourceRevision.ofThisProgram.record
            record.source = SourceRecord(bundleIdentifier: bundleIdentifier, name: name)
            record.version = version
            return record
        }
    }
}
