import ArgumentParser
import HealthEngine
import HealthModel

extension Caller {
    /// The person at the command line: reads everything; what is added carries the name `hk`.
    static let person = Caller(
        revision: SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "org.openhealthkit.hk", name: "hk"),
            version: HealthCommand.configuration.version),
        permission: .owner)
}
