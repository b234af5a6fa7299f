package import Foundation
package import HealthEngine
package import HealthJSON
import HealthModel

/// Writes statistics as JSON with HealthKit's property names: plain numbers beside one unit.
package struct StatisticsJSONWriter {
    private let instants: InstantWriter
    private let unit: String
    private let conversion: UnitConversion

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - unit: The unit of the engine's results.
    ///   - shown: The unit to which they are converted. If it isn't compatible, `unit` is used.
    package init(unit: String, shownIn shown: String?, timeZone: TimeZone) {
        let found = shown.flatMap { UnitConversion(between: unit, and: $0) }
        self.unit = found == nil ? unit : shown ?? unit
        conversion = found ?? .identity
        instants = InstantWriter(timeZone: timeZone)
    }

    /// Writes the statistics of one interval.
    package func write(_ bucket: StatisticsBucket, to json: inout JSONText) {
        json.object { json in
            json.member("startDate", instant: bucket.start, instants)
            json.member("endDate", instant: bucket.end, instants)
            values(bucket.values, &json)
            json.member("unit", text: unit)
            guard let sources = bucket.bySource else { return }
            json.key("sources")
            json.array { json in
                for (source, figures) in sources.sorted(by: { $0.key.bundleIdentifier < $1.key.bundleIdentifier }) {
                    json.object { json in
                        json.member("source", text: source.name)
                        json.member("bundleIdentifier", text: source.bundleIdentifier)
                        values(figures, &json)
                    }
                }
            }
        }
    }

    /// Writes an interval without data.
    package func writeEmpty(start: Double, end: Double, to json: inout JSONText) {
        json.object { json in
            json.member("startDate", instant: start, instants)
            json.member("endDate", instant: end, instants)
            json.member("unit", text: unit)
        }
    }

    private func values(_ values: StatisticsValues, _ json: inout JSONText) {
        member("sumQuantity", values.sum, &json)
        member("averageQuantity", values.average, &json)
        member("minimumQuantity", values.minimum, &json)
        member("maximumQuantity", values.maximum, &json)
        if let recent = values.mostRecent {
            member("mostRecentQuantity", recent.value, &json)
            json.key("mostRecentQuantityDateInterval")
            json.object { json in
                json.member("startDate", instant: recent.start, instants)
                json.member("endDate", instant: recent.end, instants)
            }
        }
        json.member("duration", number: values.duration)
    }

    private func member(_ name: String, _ value: Double?, _ json: inout JSONText) {
        json.member(name, number: value.map { conversion($0) })
    }
}
