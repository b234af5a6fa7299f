import Foundation
import HealthKit
import HealthModel
import HealthWatcher

/// One change as lines of text or as JSON.
struct ChangeListing {
    let change: HealthChange
    let dates: DateOutput

    struct Answer: Encodable {
        struct Sample: Encodable {
            var uuid: String
            var type: String
            var startDate: String
            var endDate: String
            var quantity: Double?
            var unit: String?
            var value: Int?
            var source: String
        }

        var addedSamples: [Sample]
        var deletedObjects: [String]
    }

    var answer: Answer {
        Answer(
            addedSamples: change.addedSamples.map { sample in
                let quantity = Self.parts((sample as? HKQuantitySample)?.quantity)
                return Answer.Sample(
                    uuid: sample.uuid.uuidString, type: sample.sampleType.identifier, startDate: dates.iso(sample.startDate),
                    endDate: dates.iso(sample.endDate), quantity: quantity?.value, unit: quantity?.unit,
                    value: (sample as? HKCategorySample)?.value, source: sample.sourceRevision.source.name)
            }, deletedObjects: change.deletedObjects.map(\.uuid.uuidString))
    }

    var text: String {
        let added = change.addedSamples.map { sample in
            "+ \(dates.minute(sample.startDate))  \(TypeName.short(sample.sampleType.identifier))  "
                + "\(value(sample))  \(sample.sourceRevision.source.name)\n"
        }
        return added.joined() + change.deletedObjects.map { "- deleted \($0.uuid.uuidString)\n" }.joined()
    }

    /// Value and unit as the quantity was written; its description has the unit after the first blank.
    private static func parts(_ quantity: HKQuantity?) -> (value: Double, unit: String)? {
        guard let quantity, let blank = quantity.description.firstIndex(of: " ") else { return nil }
        let unit = String(quantity.description[blank...].dropFirst())
        return (quantity.doubleValue(for: HKUnit(from: unit)), unit)
    }

    private func value(_ sample: HKSample) -> String {
        switch sample {
        case let sample as HKQuantitySample:
            return Self.parts(sample.quantity).map { NumberOutput.quantity($0.value, $0.unit) } ?? ""
        case let sample as HKCategorySample:
            let enumeration = TypeCatalog.description(for: sample.categoryType.identifier)?.categoryEnumeration
            return CategoryValueName.text(sample.value, enumeration: enumeration)
        case let workout as HKWorkout:
            return "\(CategoryValueName.words("\(workout.workoutActivityType)")), "
                + "\(NumberOutput.text(workout.duration / 60, digits: 1)) min"
        case let correlation as HKCorrelation:
            return "\(correlation.objects.count) samples"
        default:
            return ""
        }
    }
}
