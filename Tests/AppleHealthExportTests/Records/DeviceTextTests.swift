@testable import AppleHealthExport
import HealthModel
import Testing

@Suite struct DeviceTextTests {
    @Test func readsAWatch() {
        let text =
            "<<HKDevice: 0x282e3a260>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, software:9.3.1>"
        #expect(
            DeviceText.parse(text)
                == DeviceRecord(
                    name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,7",
                    softwareVersion: "9.3.1"))
    }

    /// As exports have it since iOS 17.6.
    @Test func creationDateIsNotPartOfTheVersion() {
        let text =
            "<<HKDevice: 0x282e3a260>, name:Apple Watch, model:Watch, software:10.6.1, creation date:2024-08-24 17:12:03 +0000>"
        #expect(
            DeviceText.parse(text) == DeviceRecord(name: "Apple Watch", model: "Watch", softwareVersion: "10.6.1"))
    }

    @Test func readsAllProperties() {
        let device = DeviceRecord(
            name: "a, b: c", manufacturer: "m", model: "o", hardwareVersion: "h,1", firmwareVersion: "f",
            softwareVersion: "s", localIdentifier: "l", udiDeviceIdentifier: "(01)2")
        #expect(DeviceText.parse(DeviceText.print(device)) == device)
    }

    @Test(arguments: ["<<HKDevice: 0x1>>", "<<HKDevice: 0x1>", "<<HKDevice: >, >"])
    func readsEmptyOnes(_ text: String) {
        #expect(DeviceText.parse(text) == DeviceRecord())
    }

    @Test func keepsOtherTexts() {
        #expect(DeviceText.parse("Polar H10") == DeviceRecord(name: "Polar H10"))
        #expect(DeviceText.parse("") == nil)
    }

    /// Appending to a property of the record once for each part took time in proportion to the square of the length.
    @Test func aValueWithManyCommasIsReadInOneGo() {
        let value = String(repeating: "a, ", count: 700_000) + "b"
        let device = DeviceText.parse("<<HKDevice: 0x1>, name:\(value), model:Watch>")
        #expect(device?.name == value && device?.model == "Watch")
    }
}
