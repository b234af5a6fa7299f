import Foundation
import HealthEngine
import HealthModel

/// The archived form of statistics: plain figures.
struct HKStatisticsArchive: Codable {
    struct Values: Codable {
        var sum, average, minimum, maximum, duration: Double?
        /// Value, start, end of the most recent sample.
        var mostRecent: [Double]?

        init(_ values: StatisticsValues) {
            sum = values.sum
            average = values.average
            minimum = values.minimum
            maximum = values.maximum
            duration = values.duration
            mostRecent = values.mostRecent.map { [$0.value, $0.start, $0.end] }
        }

        var values: StatisticsValues {
            var recent: StatisticsValues.Recent?
            if let mostRecent, mostRecent.count == 3 {
                recent = .init(value: mostRecent[0], start: mostRecent[1], end: mostRecent[2])
            }
            return StatisticsValues(
                sum: sum, average: average, minimum: minimum, maximum: maximum, mostRecent: recent,
                duration: duration)
        }
    }

    struct Separate: Codable {
        var source: SourceRecord
        var values: Values
    }

    var type: String
    var start: Double
    var end: Double
    var unit: String
    var values: Values
    var separate: [Separate]?

    init(_ statistics: HKStatistics) {
        type = statistics.quantityType.identifier
        start = statistics.startDate.timeIntervalSinceReferenceDate
        end = statistics.endDate.timeIntervalSinceReferenceDate
        unit = statistics.unit
        values = Values(statistics.values)
        separate = statistics.separate?.map { Separate(source: $0.key, values: Values($0.value)) }
    }

    /// `nil` for bytes that are no statistics, or of a type or unit this version does not know.
    init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(Self.self, from: coder),
            HKObjectType.quantityType(forIdentifier: .init(rawValue: archive.type)) != nil,
            HKUnit.parsed(archive.unit) != nil,
            // Foundation ends the process when it prints a date far beyond its own distant past and future.
            abs(archive.start) < 1e12, abs(archive.end) < 1e12
        else { return nil }
        self = archive
    }

    var quantityType: HKQuantityType { HKQuantityType(.init(rawValue: type)) }

    var separateValues: [SourceRecord: StatisticsValues]? {
        separate.map { figures in
            Dictionary(figures.map { ($0.source, $0.values.values) }, uniquingKeysWith: { first, _ in first })
        }
    }
}
