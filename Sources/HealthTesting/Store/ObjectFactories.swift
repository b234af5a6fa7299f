public import Foundation
public import HealthKit

extension HKElectrocardiogram {
    /// Creates a recording as a watch makes it; applications cannot create one. Add it to a store with
    /// ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - volts: The voltages in order, `frequency` of them per second.
    ///   - averageHeartRate: Beats per minute.
    public static func testing(
        volts: [Double], frequency: Double = 512, start: Date = TestClock.start,
        classification: Classification = .sinusRhythm, symptomsStatus: SymptomsStatus = .notSet,
        averageHeartRate: Double? = nil, metadata: [String: Any]? = nil
    ) -> HKElectrocardiogram {
        HKElectrocardiogram(
            recording: Recording(
                start: start, volts: volts, frequency: frequency, classification: classification,
                symptomsStatus: symptomsStatus, averageHeartRate: averageHeartRate), metadata: metadata)
    }
}

extension HKClinicalRecord {
    /// Creates a record of a health institution; applications cannot create one. Add it to a store with
    /// ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the record.
    ///   - displayName: The name that the institution gives it.
    ///   - date: The start and end.
    ///   - resource: The record in FHIR.
    public static func testing(
        _ type: HKClinicalType, displayName: String, date: Date = TestClock.start, resource: HKFHIRResource? = nil,
        metadata: [String: Any]? = nil
    ) -> HKClinicalRecord {
        HKClinicalRecord(type: type, displayName: displayName, date: date, resource: resource, metadata: metadata)
    }
}

extension HKFHIRResource {
    /// Creates a resource from its JSON.
    public static func testing(
        _ resourceType: HKFHIRResourceType, identifier: String, json: String, version: HKFHIRVersion = .primaryR4(),
        sourceURL: URL? = nil
    ) -> HKFHIRResource {
        HKFHIRResource(
            version: version, resourceType: resourceType, identifier: identifier, data: Data(json.utf8),
            sourceURL: sourceURL)
    }
}

extension HKVerifiableClinicalRecord {
    /// Creates a record as an issuer signs it; applications cannot create one. Add it to a store with
    /// ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - recordTypes: Values of ``HKVerifiableClinicalRecordCredentialType`` and others.
    ///   - representation: The compact JWS or the text of a certificate’s code. It is neither read nor verified.
    ///   - date: The date of issue.
    ///   - relevantDate: The date of the most recent item; `nil` for the date of issue.
    ///   - birth: The year, month and day, as far as they are known.
    public static func testing(
        _ sourceType: HKVerifiableClinicalRecordSourceType = .smartHealthCard, recordTypes: [String],
        itemNames: [String] = [], representation: String = "", issuer: String = "https://example.org",
        date: Date = TestClock.start, relevantDate: Date? = nil, expirationDate: Date? = nil, fullName: String,
        birth: DateComponents? = nil
    ) -> HKVerifiableClinicalRecord {
        HKVerifiableClinicalRecord(
            sourceType: sourceType, dataRepresentation: Data(representation.utf8), issuerIdentifier: issuer,
            issuedDate: date, expirationDate: expirationDate, relevantDate: relevantDate ?? date,
            recordTypes: recordTypes, itemNames: itemNames,
            subject: HKVerifiableClinicalRecordSubject(fullName: fullName, birth: birth))
    }
}

extension HKUserAnnotatedMedication {
    /// Creates a medication as a person enters it. Add it to a store with
    /// ``TestHealthStore/plant(_:from:)-([HKUserAnnotatedMedication],_)``.
    ///
    /// - Parameter displayText: The name of the medication, which identifies it.
    public static func testing(
        _ displayText: String, nickname: String? = nil, isArchived: Bool = false, hasSchedule: Bool = false,
        generalForm: HKMedicationGeneralForm = .tablet, codings: Set<HKClinicalCoding> = []
    ) -> HKUserAnnotatedMedication {
        HKUserAnnotatedMedication(
            nickname: nickname, isArchived: isArchived, hasSchedule: hasSchedule, concept: displayText,
            displayText: displayText, generalForm: generalForm, codings: codings)
    }
}

extension HKMedicationDoseEvent {
    /// Creates a dose as a person logs it. Add it to a store with ``TestHealthStore/plant(_:from:device:)``.
    ///
    /// - Parameters:
    ///   - medication: The medication that was taken or skipped.
    ///   - date: The date when the dose was logged.
    ///   - scheduledDate: The date when the dose was due; `nil` for a dose taken as needed.
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

extension HKActivitySummary {
    /// Creates a day's rings. Applications can fill a summary but cannot set its day.
    ///
    /// - Parameters:
    ///   - date: A Gregorian year, month and day.
    ///   - activeEnergy: Kilocalories and their goal.
    ///   - exercise: Minutes and their goal.
    ///   - standHours: Hours and their goal.
    public static func testing(
        _ date: DateComponents, activeEnergy: (Double, goal: Double) = (0, 0),
        exercise: (Double, goal: Double) = (0, 0), standHours: (Double, goal: Double) = (0, 0)
    ) -> HKActivitySummary {
        let summary = HKActivitySummary.ofDay(year: date.year ?? 1, month: date.month ?? 1, day: date.day ?? 1)
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: activeEnergy.0)
        summary.activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: activeEnergy.goal)
        summary.appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: exercise.0)
        summary.exerciseTimeGoal = HKQuantity(unit: .minute(), doubleValue: exercise.goal)
        summary.appleStandHours = HKQuantity(unit: .count(), doubleValue: standHours.0)
        summary.standHoursGoal = HKQuantity(unit: .count(), doubleValue: standHours.goal)
        return summary
    }
}
