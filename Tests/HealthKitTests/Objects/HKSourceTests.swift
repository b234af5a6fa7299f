import Foundation
import HealthModel
import Testing

@testable import HealthKit

@Suite struct HKSourceTests {
    @Test func sourcesAreEqualByBundleIdentifier() {
        let one = HKSource(SourceRecord(bundleIdentifier: "com.example.a", name: "A"))
        let renamed = HKSource(SourceRecord(bundleIdentifier: "com.example.a", name: "A 2"))
        let other = HKSource(SourceRecord(bundleIdentifier: "com.example.b", name: "A"))
        #expect(one == renamed)
        #expect(one.hash == renamed.hash)
        #expect(one != other)
        #expect(one.name == "A")
        #expect(one.bundleIdentifier == "com.example.a")
    }

    // In a separate process, because the stores of other tests have other applications.
    @Test func theDefaultSourceIsThisProgram() async {
        await #expect(processExitsWith: .success) {
            let program = HKHealthStore.Configuration.Application.current
            let source = HKSource.default()
            precondition(!source.bundleIdentifier.isEmpty && source.bundleIdentifier == program.bundleIdentifier)
            precondition(source == .default() && FreshStore.steps(1).source != source)
        }
    }

    @Test func theDefaultSourceIsTheConfiguredApplication() async {
        await #expect(processExitsWith: .success) {
            let program = HKHealthStore.Configuration.Application.current.bundleIdentifier
            func configured() async throws {
                let store = HKHealthStore(
                    configuration: .init(
                        location: .inMemory(name: nil),
                        application: .init(bundleIdentifier: "org.example.mine", name: "Mine")))
                precondition(HKSource.default().bundleIdentifier == "org.example.mine")
                precondition(HKSource.default().name == "Mine")
                let steps = FreshStore.steps(1)
                try await store.save(steps)
                precondition(steps.source.bundleIdentifier.isEmpty)
                let found = try await HKSampleQueryDescriptor(
                    predicates: [
                        .quantitySample(
                            type: FreshStore.steps, predicate: HKQuery.predicateForObjects(from: .default()))
                    ], sortDescriptors: []
                ).result(for: store)
                precondition(found.count == 1 && found.allSatisfy { $0.sourceRevision.source == .default() })
                precondition(HKSource(SourceRecord(bundleIdentifier: program, name: "P")) != .default())
            }
            try await configured()
        }
    }

    @Test func revisionsAreEqualByEveryField() {
        let source = HKSource(SourceRecord(bundleIdentifier: "com.example.a", name: "A"))
        let system = OperatingSystemVersion(majorVersion: 17, minorVersion: 2, patchVersion: 1)
        func revision(_ version: String?, _ product: String?) -> HKSourceRevision {
            HKSourceRevision(
                source: source, version: version, productType: product, operatingSystemVersion: system)
        }
        #expect(revision("1", "iPhone15,2") == revision("1", "iPhone15,2"))
        #expect(revision("1", "iPhone15,2").hash == revision("1", "iPhone15,2").hash)
        #expect(revision("1", "iPhone15,2") != revision("2", "iPhone15,2"))
        #expect(revision("1", "iPhone15,2") != revision("1", nil))
        #expect("\(revision("1", "iPhone15,2"))" == "\"A\" (1), \"iPhone15,2\" (17.2.1)")
        #expect(revision("1", nil).operatingSystemVersion.minorVersion == 2)
    }

    @Test func theShortInitializerLeavesProductAndSystemOpen() {
        let source = HKSource(SourceRecord(bundleIdentifier: "com.example.a", name: "A"))
        let revision = HKSourceRevision(source: source, version: nil)
        #expect(revision.productType == HKSourceRevisionAnyProductType)
        #expect(
            revision.operatingSystemVersion.majorVersion
                == HKSourceRevisionAnyOperatingSystem.majorVersion)
        #expect(revision.source === source)
    }

    @Test func devicesAreEqualByEveryProperty() {
        func device(_ model: String?) -> HKDevice {
            HKDevice(
                name: "n", manufacturer: "m", model: model, hardwareVersion: "h", firmwareVersion: "f",
                softwareVersion: "s", localIdentifier: "l", udiDeviceIdentifier: "u")
        }
        #expect(device("Watch") == device("Watch"))
        #expect(device("Watch").hash == device("Watch").hash)
        #expect(device("Watch") != device(nil))
        let watch = device("Watch")
        #expect(
            [
                watch.name, watch.manufacturer, watch.model, watch.hardwareVersion,
                watch.firmwareVersion, watch.softwareVersion, watch.localIdentifier,
                watch.udiDeviceIdentifier,
            ] == ["n", "m", "Watch", "h", "f", "s", "l", "u"])
        #expect(
            "\(device(nil))"
                == "<<HKDevice>, name:n, manufacturer:m, hardware:h, firmware:f, software:s, localIdentifier:l, UDIDeviceIdentifier:u>"
        )
        #expect(HKDevice.local() == .local())
        #expect(HKDevice.local().name != ProcessInfo.processInfo.hostName)
    }
}
