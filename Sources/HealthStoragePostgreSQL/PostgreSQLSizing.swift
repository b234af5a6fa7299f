import Foundation

/// What a database for many people needs, from what was measured for few; see Docs/Scale.md.
package struct PostgreSQLSizing: Sendable {
    /// A figure, and how it is known.
    package struct Figure: Hashable, Sendable, Encodable {
        package var what: String
        package var value: String
        package var isMeasured: Bool
    }

    package var people: Int
    package var years: Int

    /// - Parameter years: The number of years of records that are kept of each person.
    package init(people: Int, years: Int = 1) {
        (self.people, self.years) = (people, years)
    }

    /// A million records, with the indexes: a year of a person with a watch.
    private static let megabytesOfYear = 13.0
    /// Of a core, for a transaction. On a cluster, the time that it takes, of which the nodes share what isn't waiting.
    private static let secondsOfSave = 0.000_2
    private static let secondsOfSaveOnCluster = 0.002_3
    /// Of a core, for a person of a cohort with 20,000 samples.
    private static let secondsOfCohort = 0.002_9
    /// What a phone that sends once an hour makes, in the busiest hour.
    private static let savesOfPerson = 24 / 86_400.0 * 10
    /// The share of its disk that one server's backup and maintenance leave, and the cores that it has.
    private static let megabytesOfServer = 8_000_000.0
    private static let coresOfServer = 32.0

    package var figures: [Figure] {
        let data = Double(people) * Double(years) * Self.megabytesOfYear
        let saves = Double(people) * Self.savesOfPerson
        let (cores, coresOnCluster) = (saves * Self.secondsOfSave, saves * Self.secondsOfSaveOnCluster)
        let most = min(
            Self.megabytesOfServer / (Double(years) * Self.megabytesOfYear),
            Self.coresOfServer / 2 / (Self.savesOfPerson * Self.secondsOfSave))
        let isOne = data <= Self.megabytesOfServer && cores <= Self.coresOfServer / 2
        let workers = Int(max(data / Self.megabytesOfServer, 2).rounded(.up))
        return [
            Figure(what: "a person's year, a million records", value: "13 MB", isMeasured: true),
            Figure(what: "of a core for a save", value: "0.2 ms; at most 2.3 ms on a cluster", isMeasured: true),
            Figure(what: "of a core for a person of a cohort, 20,000 samples", value: "2.9 ms", isMeasured: true),
            Figure(what: "disk, for each copy", value: Self.size(data), isMeasured: false),
            Figure(
                what: "saves a second, if each phone sends once an hour", value: Self.number(saves / 10),
                isMeasured: false),
            Figure(what: "cores in the busiest hour, ten times that", value: Self.number(cores), isMeasured: false),
            Figure(
                what: "a cohort of everyone, on one core",
                value: "\(Self.number(Double(people) * Self.secondsOfCohort)) s", isMeasured: false),
            Figure(what: "people whom one PostgreSQL carries", value: Self.roundedDown(most), isMeasured: false),
            Figure(
                what: "database",
                value: isOne
                    ? "one PostgreSQL with a standby"
                    : "a cluster of \(workers) workers, which have at most \(Self.number(coresOnCluster)) cores with the coordinator",
                isMeasured: false),
        ]
    }

    private static func size(_ megabytes: Double) -> String {
        let units = ["MB", "GB", "TB", "PB"]
        var (value, unit) = (megabytes, 0)
        while value >= 1_000, unit + 1 < units.count { (value, unit) = (value / 1_000, unit + 1) }
        return "\(number(value)) \(units[unit])"
    }

    /// Two digits: what one server can do isn't known better.
    private static func roundedDown(_ value: Double) -> String {
        let step = pow(10, (log10(value)).rounded(.down) - 1)
        return String(Int((value / step).rounded(.down) * step))
    }

    /// Two digits, rounded up: needs aren't known better.
    private static func number(_ value: Double) -> String {
        guard value > 0 else { return "0" }
        let step = pow(10, (log10(value)).rounded(.down) - 1)
        let rounded = (value / step).rounded(.up) * step
        return rounded >= 10 ? String(Int(rounded.rounded())) : String(format: "%.2g", rounded)
    }
}
