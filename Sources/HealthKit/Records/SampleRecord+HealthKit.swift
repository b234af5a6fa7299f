import Foundation
import HealthModel

extension SampleRecord {
    /// The sample as plain values.
    init(_ sample: HKQuantitySample) {
        self.init(sample, value: sample.value, unit: sample.unit.unitString)
    }

    /// The sample as plain values.
    init(_ sample: HKCategorySample) {
        self.init(sample, value: Double(sample.value), unit: "")
    }

    private init(_ sample: HKSample, value: Double, unit: String) {
        self.init(
            uuid: sample.identity, type: sample.context.type.code, start: sample.start,
            end: sample.end, value: value, unit: unit, revision: sample.context.revision?.record,
            device: sample.context.device?.record, metadata: sample.context.metadata)
    }
}
