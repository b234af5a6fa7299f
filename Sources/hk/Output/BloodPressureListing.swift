import Foundation
import HealthAnswers
import HealthEngine

/// Statistics of blood pressure: both figures side by side, as people know them.
struct BloodPressureListing {
    static let type = "HKCorrelationTypeIdentifierBloodPressure"
    static let parts = [
        "HKQuantityTypeIdentifierBloodPressureSystolic", "HKQuantityTypeIdentifierBloodPressureDiastolic",
    ]

    let systolic: StatisticsAnswer
    let diastolic: StatisticsAnswer
    let interval: StatisticsInterval?
    let dates: DateOutput

    var table: String {
        var table = Table([
            .init(title: interval?.rawValue ?? "period"),
            .init(title: "average (\(systolic.unit ?? "mmHg"))", isNumber: true),
            .init(title: "minimum", isNumber: true),
            .init(title: "maximum", isNumber: true),
        ])
        // Without intervals, the figures of each begin with its own first sample.
        let others =
            interval == nil ? nil : Dictionary(diastolic.statistics.map { ($0.start, $0) }) { first, _ in first }
        for statistic in systolic.statistics {
            let other = others.map { $0[statistic.start] } ?? diastolic.statistics.first
            func pair(_ figure: (StatisticsAnswer.Statistic) -> Double?) -> String {
                let parts = [figure(statistic), other.flatMap(figure)]
                // 16.1/10.7 kPa.
                let digits = systolic.unit == "mmHg" ? 0 : 1
                return parts.map { $0.map { NumberOutput.text($0, digits: digits) } ?? "–" }.joined(separator: "/")
            }
            table.add([
                interval?.label(statistic, dates) ?? dates.span(statistic), pair(\.values.average),
                pair(\.values.minimum),
                pair(\.values.maximum),
            ])
        }
        return table.text()
    }
}
