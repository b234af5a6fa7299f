import Foundation
import HealthModel
import Testing

@testable import HealthKit

@Suite struct DocumentClassesTests {
    private func document(_ type: HKSampleType) -> HKSample {
        .make(
            SampleBase(identity: UUID(), context: ObjectContext(type: type), start: 0, end: 1),
            ObjectRecord(type: type.code, start: 0, end: 1))
    }

    @Test func eachTypeHasItsClass() {
        #expect(document(.electrocardiogramType()) is HKElectrocardiogram)
        #expect(document(.stateOfMindType()) is HKStateOfMind)
        #expect(document(.medicationDoseEventType()) is HKMedicationDoseEvent)
        #expect(document(HKScoredAssessmentType(.GAD7)) is HKGAD7Assessment)
        #expect(document(HKScoredAssessmentType(.PHQ9)) is HKPHQ9Assessment)
        #expect(document(.audiogramSampleType()) is HKAudiogramSample)
        #expect(document(HKSeriesType.heartbeat()) is HKHeartbeatSeriesSample)
        #expect(document(.visionPrescriptionType()) is HKVisionPrescription)
        #expect(document(.stateOfMindType()).sampleType == HKObjectType.stateOfMindType())
    }
}
