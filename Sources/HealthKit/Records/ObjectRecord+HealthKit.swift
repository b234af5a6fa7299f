import Foundation
import HealthModel

extension ObjectRecord {
    /// The correlation with its members as plain values.
    init(_ correlation: HKCorrelation) {
        self.init(correlation, body: .none, members: RecordEncoder.members(correlation.objects))
    }

    /// The workout as plain values. Its samples are not part of it: they are saved by themselves
    /// and linked to it.
    init(_ workout: HKWorkout) {
        self.init(workout, body: .workout(workout.body))
    }

    /// Any other sample.
    init(_ sample: HKSample, body: ObjectBody, members: [SampleRecord] = []) {
        self.init(
            uuid: sample.identity, type: sample.context.type.code, start: sample.start,
            end: sample.end, revision: sample.context.revision?.record,
            device: sample.context.device?.record, metadata: sample.context.metadata, body: body,
            members: members)
    }
}
