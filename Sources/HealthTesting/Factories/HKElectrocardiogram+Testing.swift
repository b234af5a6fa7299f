public import Foundation
public import HealthKit

extension HKElectrocardiogram {
    /// A recording as a watch makes it; applications cannot make one. Plant it with
    /// ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - volts: the voltages in order, `frequency` of them a second.
    ///   - averageHeartRate: beats a minute.
    public static func testing(
        volts: [Double], frequency: Double = 512, start: Date = TestClock.start,
        classification: Classification = .sinusRhythm, symptomsStatus: SymptomsStatus = .notSet,
        averageHeartRate: Double? = nil, metadata: [String: Any]? = nil
    ) -> HKElectrocardiogram {
        HKElectrocardiogram(
            recording: Recording(
                start: start, volts: volts, frequency: frequency, classification: classification,
                symptomsStatus: symptomsStatus, averageHeartRate: averageHeartRate),
            metadata: metadata)
    }
}
