import HealthEngine
import HealthModel

/// The quantities of a series sample as the body of an object, and back.
enum SupplementSeries {
    private static let starts = "starts"
    private static let ends = "ends"
    private static let values = "values"

    static func body(of series: QuantitySeries) -> ObjectBody {
        .document(DocumentBody(series: [starts: series.starts, ends: series.ends, values: series.values]))
    }

    /// `nil` for a body that is no series.
    static func series(_ body: ObjectBody) -> QuantitySeries? {
        guard case .document(let document) = body else { return nil }
        let series = QuantitySeries(
            starts: document.series[starts] ?? [], ends: document.series[ends] ?? [], values: document.series[values] ?? [])
        return series.isSound && series.count > 0 ? series : nil
    }
}
