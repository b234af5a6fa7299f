public import Foundation
public import HealthKit

extension HKMedicationDoseEvent {
    /// A dose as a person logs it. Plant it with ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - medication: what was taken or skipped.
    ///   - date: when that was logged.
    ///   - scheduledDate: when the dose was due; `nil` for one taken as needed.
    public static func testing(
        of medication: HKUserAnnotatedMedication, date: Date = TestClock.start, status: LogStatus = .taken,
        scheduledDate: Date? = nil, scheduledDose: Double? = nil, dose: Double? = 1, unit: HKUnit = .count(),
        metadata: [String: Any]? = nil
    ) -> HKMedicationDoseEvent {
        HKMedicationDoseEvent(
            medication: medication.medication.identifier, date: date, status: status,
            scheduleType: scheduledDate == nil ? .asNeeded : .schedule, scheduledDate: scheduledDate,
            scheduledDose: scheduledDose, dose: dose, unit: unit, metadata: metadata)
    }
}
