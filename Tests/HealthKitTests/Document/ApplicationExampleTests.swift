import CoreLocation
import Foundation
import HealthKit
import Testing

@Suite("The example of Docs/Application.md")
struct ApplicationExampleTests {
    @Test("Counts the steps of each day")
    func steps() async throws {
        let store = HKHealthStore(configuration: .inMemory)
        let calendar = Calendar.current
        let noon = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: 785_000_000)).addingTimeInterval(
            43_200)
        let samples = [(0.0, 100.0), (-60, 20), (-86_400, 300), (-86_400 * 30, 7)].map { offset, count in
            let date = noon.addingTimeInterval(offset)
            return HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
                start: date.addingTimeInterval(-1), end: date)
        }
        try await store.save(samples)
        let counts = try await stepsOfTheWeek(in: store, until: noon)
        let today = calendar.startOfDay(for: noon)
        let yesterday = try #require(calendar.date(byAdding: .day, value: -1, to: today))
        #expect(counts == [today: 120, yesterday: 300])
    }

    @Test("Each row of the table for code of Apple's platforms is compiled")
    func porting() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let document = try String(contentsOf: root.appendingPathComponent("Docs/Application.md"), encoding: .utf8)
        let source = try String(contentsOf: folder.appendingPathComponent("PortingExamples.swift"), encoding: .utf8)
        let table = document.components(separatedBy: "| your code has | do |\n|---|---|\n")[1]
        let rows = table.components(separatedBy: "\n\n")[0].split(separator: "\n").map {
            $0.dropFirst(2).components(separatedBy: " | ")[0]
        }
        #expect(rows.count == 9)
        #expect(source.matches(of: /(?m)^\/\/ row: (.+)$/).map { String($0.1) } == rows)
        #expect(length(of: [CLLocation(latitude: 40, longitude: 0), CLLocation(latitude: 40.001, longitude: 0)]) > 100)
        #expect(isWithoutData(HKError(.errorNoData)) && title() == "Steps" && pooled { 1 } == 1)
    }

    @Test("The document has the lines that are compiled")
    func document() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let document = try String(contentsOf: root.appendingPathComponent("Docs/Application.md"), encoding: .utf8)
        let source = try String(contentsOf: folder.appendingPathComponent("ApplicationExample.swift"), encoding: .utf8)
        let lines = source.components(separatedBy: "// begin\n")[1].components(separatedBy: "// end")[0]
        #expect(document.contains("```swift\n\(lines)```"))
    }
}
