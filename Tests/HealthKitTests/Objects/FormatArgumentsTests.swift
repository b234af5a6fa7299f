import Foundation
import Testing

@testable import HealthKit

/// Objects as arguments of `%@`.
@Suite struct FormatArgumentsTests {
    @Test func objectsAreTheirDescriptions() {
        let store = FreshStore.make()
        let objects: [any NSObject & CVarArg] = [
            FreshStore.steps, FreshStore.sleep, HKObjectType.workoutType(), HKUnit(from: "km/hr"), store,
            HKQueryAnchor(fromValue: 7), HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, _, _ in },
            HKQuantity(unit: .meter(), doubleValue: 5), HKSource.default(), HKDevice.local(), FreshStore.steps(3),
            HKWorkoutConfiguration(), HKActivitySummary(),
            HKWorkoutBuilder(healthStore: store, configuration: HKWorkoutConfiguration(), device: nil),
            HKQueryDescriptor(sampleType: FreshStore.steps, predicate: nil),
        ]
        for object in objects {
            #expect(String(format: "<%@ %d>", object, 1) == "<\(object.description) 1>")
        }
        #expect(String(format: "%@, %@", FreshStore.steps, HKUnit.count()) == "\(FreshStore.steps), count")
    }

    @Test func foundationsValues() {
        let date = FreshStore.epoch
        let uuid = UUID()
        #expect(String(format: "%@", date as any CVarArg) == date.description)
        #expect(String(format: "%@ %@", uuid as any CVarArg, NSNumber(value: 5)) == "\(uuid) 5")
        let error = NSError(domain: "d", code: 1)
        #expect(String(format: "%@ %@", ["a"] as Set, error) == "[\"a\"] \(error.description)")
        #expect(String(format: "%@ %@", [FreshStore.steps], ["a": 1]) == "\([FreshStore.steps]) [\"a\": 1]")
    }

    /// `NSObject` itself isn't an argument on this platform, so that every class has to conform.
    @Test func everyClassIsAnArgument() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/HealthKit")
        var (classes, arguments): (Set<String>, Set<String>) = ([], [])
        let paths = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        for case let url as URL in paths ?? .init() where url.pathExtension == "swift" {
            let text = try String(contentsOf: url, encoding: .utf8)
            for match in text.matches(of: /class (HK\w+|_ValueObject): (NSObject|_ValueObject)\b/) {
                classes.insert(String(match.1))
            }
            // A value object inherits the conformance.
            for match in text.matches(of: /class (HK\w+|_ValueObject): (NSObject, _CVarArgObject|_ValueObject)\b/) {
                arguments.insert(String(match.1))
            }
        }
        #expect(classes.count > 40)
        #expect(classes == arguments)
    }
}
