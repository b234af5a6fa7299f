import AppleHealthGenerator
import Foundation
import HealthFixtures
import HealthKit
import HealthTesting
import Testing

/// Archives and store files as fixtures.
@Suite("Stores from files")
final class FixtureTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID().uuidString)")
    private let steps = HKQuantityType(.stepCount)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func count(_ health: TestHealthStore) async throws -> Int {
        try await HKSampleQueryDescriptor(predicates: [.quantitySample(type: steps)], sortDescriptors: []).result(
            for: health.store
        ).count
    }

    /// A store file with two samples of an app.
    private func makeStore() async throws -> URL {
        let url = file("health.sqlite")
        let store = HKHealthStore(
            configuration: .init(
                location: .file(url), application: .init(bundleIdentifier: "com.example.band", name: "Band"),
                authorization: .allowAll))
        for (index, value) in [1200.0, 800].enumerated() {
            let start = TestClock.start + Double(index) * 600
            try await store.save(
                HKQuantitySample(
                    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: value), start: start, end: start + 60
                ))
        }
        return url
    }

    @Test(
        "An archive in every form is read, and its date is the clock’s",
        arguments: ["export.zip", "export.xml", "export"])
    func archive(name: String) async throws {
        let url = file(name)
        let written = try ArchiveGenerator(options: HealthScenario.ordinaryFortnight.options()).make(atPath: url.path)
        let health = try TestHealthStore(archive: url)
        #expect(try await count(health) == written.contents["HKQuantityTypeIdentifierStepCount"])
        #expect(health.clock.now == (try Date("2025-11-16T17:00:00Z", strategy: .iso8601)))
        #expect(try TestHealthStore(archive: url, now: TestClock.start).clock.now == TestClock.start)
        #expect(try health.store.dateOfBirthComponents().year == 1987)
    }

    @Test("A person who allows nothing is one with an archive, too")
    func permissions() async throws {
        try ArchiveGenerator(options: HealthScenario.ordinaryFortnight.options()).write(toPath: file("export.xml").path)
        let health = try TestHealthStore(archive: file("export.xml"), permission: .denied)
        #expect(try await count(health) == 0)
        health.grant(read: [steps])
        #expect(try await count(health) > 0)
    }

    @Test("A store file is read and stays as it is, whatever the test saves and deletes")
    func store() async throws {
        let url = try await makeStore()
        let before = try Data(contentsOf: url)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let health = try TestHealthStore(store: url)
        #expect(try await count(health) == 2)
        #expect(health.clock.now == TestClock.start + 660)
        let now = health.clock.now
        try await health.store.save(
            HKQuantitySample(type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: now, end: now))
        #expect(try await count(health) == 3)
        #expect(try Data(contentsOf: url) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names)
        #expect(try await count(TestHealthStore(store: url)) == 2)
    }

    @Test("An error names the file, and the kind of file to give")
    func mistakes() throws {
        let missing = file("nothing.zip")
        func message(_ body: () throws -> TestHealthStore) -> String {
            do {
                _ = try body()
                return ""
            } catch { return "\(error)" }
        }
        #expect(
            message { try TestHealthStore(archive: missing) }
                == "“\(missing.path)” does not exist. Give the path of an export.zip, of its folder or of its XML file."
        )
        #expect(message { try TestHealthStore(store: missing) }.contains(missing.path))
        let text = file("notes.txt")
        try Data("no export".utf8).write(to: text)
        #expect(message { try TestHealthStore(archive: text) }.contains("“\(text.path)” is not an Apple Health export"))
        #expect(message { try TestHealthStore(store: text) }.contains(text.path))
        #expect(!FileManager.default.fileExists(atPath: missing.path))
    }
}
