@testable import AppleHealthExport
import HealthModel
import Testing

@Suite struct SourceTextTests {
    /// Stored identities: these strings must never change.
    @Test(arguments: [
        ("withings", "import.withings"), ("Health", "com.apple.Health"),
    ])
    func derives(_ name: String, _ identifier: String) {
        #expect(SourceText.source(named: name).bundleIdentifier == identifier)
    }

    @Test func distinguishesNames() {
        let names = [
            "Jo’s Apple\u{A0}Watch", "Jo's Apple Watch", "iPhone", "iPhone ", "Sleep Cycle", "sleep cycle",
            "Sleep  Cycle",
            "健康", "Ünlü", "unlu", "", "😀",
        ]
        #expect(Set(names.map { SourceText.source(named: $0).bundleIdentifier }).count == names.count)
        #expect(SourceText.source(named: "Jo’s Apple\u{A0}Watch").bundleIdentifier.hasPrefix("com.apple.health."))
        #expect(SourceText.source(named: "Sleep Cycle").bundleIdentifier.hasPrefix("import.sleep-cycle-"))
    }

    @Test func knowsAppleProducts() {
        let watch = DeviceRecord(manufacturer: "Apple", hardwareVersion: "Watch6,7", softwareVersion: "9.3.1")
        let revision = SourceText.revision(name: "W", version: "9.3.1", device: watch)
        #expect(revision.productType == "Watch6,7")
        #expect(revision.operatingSystemVersion == OperatingSystemVersionRecord(major: 9, minor: 3, patch: 1))
        let other = SourceText.revision(
            name: "W", version: "1", device: DeviceRecord(manufacturer: "Polar", hardwareVersion: "3"))
        #expect(other.productType == nil)
    }
}
