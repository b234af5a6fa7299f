import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthKit
import HealthTesting
import Testing

@Suite struct HealthStoreImportTests {
    @Test("An app's test begins with an archive: it is imported into the test's store, and queries read it")
    func importIntoATestStore() async throws {
        let folder = try TemporaryFolder()
        let archive = try folder.write(
            ArchiveText.file([
                ArchiveText.record(
                    start: "2024-03-01 10:00:00 +0000", end: "2024-03-01 10:05:00 +0000", value: "120"),
                ArchiveText.record(
                    start: "2024-03-01 11:00:00 +0000", end: "2024-03-01 11:05:00 +0000", value: "80"),
            ]), as: "export.xml")
        let store = TestHealthStore().store
        let report = try ArchiveImporter(engine: store.engine()).run(path: archive)
        #expect(report.addedCount == 2)
        let type = HKQuantityType(.stepCount)
        let query = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: type), options: .cumulativeSum)
        let sum = try await query.result(for: store)?.sumQuantity()
        #expect(sum?.doubleValue(for: .count()) == 200)
    }
}
