@testable import AppleHealthExport
import HealthFiles
import HealthModel
import Testing

@Suite struct MetadataTextTests {
    @Test(arguments: [
        ("HKElevationAscended", "418 cm", MetadataValue.quantity(418, unit: "cm")),
        ("HKWeatherTemperature", "56 degF", .quantity(56, unit: "degF")),
        ("HKAverageMETs", "4.52156 kcal/hr·kg", .quantity(4.52156, unit: "kcal/hr·kg")),
        ("HKWeatherHumidity", "9400 %", .quantity(0.94, unit: "%")),
        ("HKAlpineSlopeGrade", "12 %", .quantity(0.12, unit: "%")),
        ("HKMetadataKeyBarometricPressure", "101.3 kPa", .quantity(101.3, unit: "kPa")),
        ("HKWasUserEntered", "1", .integer(1)), ("HKMetadataKeyHeartRateMotionContext", "0", .integer(0)),
        ("HKTimeZone", "Europe/Berlin", .string("Europe/Berlin")), ("HKExternalUUID", "123", .string("123")),
        ("Health Mate App Version", "2.6.0", .string("2.6.0")), ("anything", "007", .string("007")),
        ("anything", "7", .integer(7)), ("anything", "7.5", .double(7.5)), ("anything", "1e3", .string("1e3")),
        ("anything", "5 km", .quantity(5, unit: "km")), ("anything", "5 apples", .string("5 apples")),
        ("anything", "", .string("")), ("HKMetadataKeySyncVersion", "2", .integer(2)),
        ("anything", "99999999999999999999", .string("99999999999999999999")),
    ])
    func reads(_ key: String, _ text: String, _ value: MetadataValue) {
        let entry = MetadataText.parse(key: key, text: text)
        #expect(entry.value == value)
        #expect(entry.archivedText == nil, "prints the same")
        #expect(MetadataText.print(entry.value, key: key) == text)
    }

    @Test(arguments: [
        ("HKWeatherHumidity", "94 %", MetadataValue.quantity(0.94, unit: "%")),
        ("HKElevationAscended", "418.0 cm", .quantity(418, unit: "cm")),
        ("HKSWOLFScore", "80.50", .double(80.5)),
        ("Modified Date", "2024-01-01 00:00:00 +0100", .date(ArchiveText.instant(2023, 12, 31, 23))),
        (
            "HKDateOfEarliestDataUsedForEstimate", "2024-01-01 00:00:00 +0100",
            .date(ArchiveText.instant(2023, 12, 31, 23))
        ),
    ])
    func keepsTextThatDoesNotRoundTrip(_ key: String, _ text: String, _ value: MetadataValue) {
        let entry = MetadataText.parse(key: key, text: text)
        #expect(entry.value == value)
        #expect(entry.archivedText == text)
    }

    @Test func keepsBeats() throws {
        let list = ArchivedElement(
            name: "HeartRateVariabilityMetadataList",
            children: [("71", "7:47:41.86 PM"), ("69", "08:33:44,67")].map {
                ArchivedElement(
                    name: "InstantaneousBeatsPerMinute",
                    attributes: [.init(name: "bpm", value: $0.0), .init(name: "time", value: $0.1)])
            })
        let entry = ArchivedMetadata.child(list)
        #expect(entry.key == "_archived.HeartRateVariabilityMetadataList")
        #expect(entry.value == .string("71\t7:47:41.86 PM\n69\t08:33:44,67"))
        #expect(ArchivedMetadata.markup(of: entry) == ElementText.print(list))
    }
}
