import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// One quantity of a sample; the sample's own if it is not a series.
    struct SeriesElement {
        let start: Double
        let end: Double
        let value: Double
        let sample: HKQuantitySample

        var quantity: HKQuantity { HKQuantity(unit: sample.unit, doubleValue: value) }

        var dateInterval: DateInterval {
            DateInterval(
                start: Date(timeIntervalSinceReferenceDate: start), end: Date(timeIntervalSinceReferenceDate: end))
        }
    }

    /// Returns the quantities of the matching samples: in order of their own start, or of their samples' start.
    func seriesElements(_ part: QueryPart, bySample: Bool) throws -> [SeriesElement] {
        let samples = try samples([part], sort: [SampleSort(.start, ascending: true)]).compactMap {
            $0 as? HKQuantitySample
        }
        let withSeries = samples.filter { $0.count > 1 }.map(\.uuid)
        var series: [UUID: QuantitySeries] = [:]
        if let type = samples.first?.quantityType, !withSeries.isEmpty {
            let code = try engine.code(of: type.identifier) ?? type.code
            series = try engine.quantitySeries(of: withSeries, type: code, as: caller)
        }
        var elements: [SeriesElement] = []
        elements.reserveCapacity(samples.count)
        for sample in samples {
            guard let inner = series[sample.uuid] else {
                elements.append(
                    SeriesElement(start: sample.start, end: sample.end, value: sample.value, sample: sample))
                continue
            }
            for index in 0..<inner.count {
                elements.append(
                    SeriesElement(
                        start: inner.starts[index], end: inner.ends[index], value: inner.values[index], sample: sample))
            }
        }
        guard !bySample, !series.isEmpty else { return elements }
        // Stable: quantities with the same start keep the order of their samples.
        return elements.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    /// Returns the locations of a stored route.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` if the route is not stored or may not be read.
    func points(of route: HKWorkoutRoute) throws -> RouteColumns {
        let part = QueryPart(identifier: HKWorkoutRouteTypeIdentifier, filter: .uuid([route.uuid]))
        guard let stored = try samples([part]).first as? HKWorkoutRoute else {
            throw HKError.make(.errorInvalidArgument, "The route is not in the store.")
        }
        return stored.fields
    }

    /// Returns the quantity of the last sample that starts at or before a date.
    ///
    /// - Throws: ``HKError/errorNoData`` if there is none.
    func latestQuantity(of identifier: HKQuantityTypeIdentifier, before date: Date) throws -> HKQuantity {
        let part = QueryPart(
            identifier: identifier.rawValue, filter: .start(.lessThanOrEqual, date.timeIntervalSinceReferenceDate))
        let found = try samples([part], sort: [SampleSort(.start, ascending: false)], limit: 1)
        guard let sample = found.first as? HKQuantitySample else { throw EngineError.noData }
        return sample.quantity
    }
}
