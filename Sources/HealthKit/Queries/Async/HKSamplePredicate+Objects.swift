public import Foundation

// The families whose samples are single objects.
extension HKSamplePredicate {
    /// Series of heartbeats.
    public static func heartbeatSeries(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKHeartbeatSeriesSample> {
        HKSamplePredicate<HKHeartbeatSeriesSample>(type: HKSeriesType.heartbeat(), predicate: predicate)
    }

    /// Electrocardiograms.
    public static func electrocardiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKElectrocardiogram> {
        HKSamplePredicate<HKElectrocardiogram>(type: .electrocardiogramType(), predicate: predicate)
    }

    /// Hearing tests.
    public static func audiogram(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKAudiogramSample> {
        HKSamplePredicate<HKAudiogramSample>(type: .audiogramSampleType(), predicate: predicate)
    }

    /// Prescriptions of glasses and contacts.
    public static func visionPrescription(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKVisionPrescription> {
        HKSamplePredicate<HKVisionPrescription>(type: .visionPrescriptionType(), predicate: predicate)
    }

    /// States of mind.
    public static func stateOfMind(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKStateOfMind> {
        HKSamplePredicate<HKStateOfMind>(type: .stateOfMindType(), predicate: predicate)
    }

    /// Answers to the GAD-7 questionnaire.
    public static func gad7Assessment(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKGAD7Assessment> {
        HKSamplePredicate<HKGAD7Assessment>(type: HKScoredAssessmentType(.GAD7), predicate: predicate)
    }

    /// Answers to the PHQ-9 questionnaire.
    public static func phq9Assessment(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKPHQ9Assessment> {
        HKSamplePredicate<HKPHQ9Assessment>(type: HKScoredAssessmentType(.PHQ9), predicate: predicate)
    }
}
