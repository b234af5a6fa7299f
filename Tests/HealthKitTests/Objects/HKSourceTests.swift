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

    @Test func theDefaultSourceIsThisProgram() {
        #expect(!HKSource.default().bundleIdentifier.isEmpty)
        #expect(HKSource.default() == .default())
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
