public import Foundation
import HealthModel

extension HKElectrocardiogram {
    /// What the leads of an electrocardiogram measured at one instant.
    public final class VoltageMeasurement: NSObject, NSCopying, Sendable {
        /// Seconds from the start of the recording.
        public let timeSinceSampleStart: TimeInterval
        private let volts: [Lead: Double]

        init(timeSinceSampleStart: TimeInterval, volts: [Lead: Double]) {
            self.timeSinceSampleStart = timeSinceSampleStart
            self.volts = volts
        }

        /// The voltage a lead measured; `nil` where it measured none.
        public func quantity(for lead: HKElectrocardiogram.Lead) -> HKQuantity? {
            volts[lead].map { HKQuantity(unit: .volt(), doubleValue: $0) }
        }

        /// The measurement itself: it never changes.
        public func copy(with zone: NSZone? = nil) -> Any { self }
    }

    /// The measurements in order of time.
    var measurements: [VoltageMeasurement] {
        let times = document.series[Field.times] ?? []
        let leads = [Lead.appleWatchSimilarToLeadI].map { ($0, document.series[Field.voltages($0)] ?? []) }
        return times.indices.map { index in
            var volts: [Lead: Double] = [:]
            for (lead, values) in leads where index < values.count && !values[index].isNaN {
                volts[lead] = values[index]
            }
            return VoltageMeasurement(timeSinceSampleStart: times[index], volts: volts)
        }
    }
}
