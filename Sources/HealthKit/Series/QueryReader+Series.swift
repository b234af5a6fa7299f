import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// One quantity of a sample; of a sample with one quantity, the sample's own.
    struct SeriesElement {
        let start: Double
        let end: Double
        let value: Double
        let sample: HKQuantitySample

        var quantity: HKQuantity { HKQuantity(unit: sample.unit, doubleValue: value) }

        var dateInterval: DateInterval {
            DateInterval(
                start: Date(timeIntervalSinceReferenceDate: start),
                end: Date(timeIntervalSinceReferenceDate: end))
        }
    }

    /// The quantities of all matching samples: in order of their own start, or sample after sample in order
    /// of the samples' start.
    func seriesElements(_ part: QueryPart, bySample: Bool) throws -> [SeriesElement] {
        let samples = try samples([part], sort: [SampleSort(.start, ascending: true)]).compactMap { $0 as? HKQuantitySample }
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
                        start: inner.starts[index], end: inner.ends[index], value: inner.values[index],
                        sample: sample))
            }
        }
        guard !bySample, !series.isEmpty else { return elements }
        // Of one start, in the order of the samples.
        return elements.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }
}
