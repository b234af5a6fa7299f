import Foundation
import HealthKit
import HealthModel
import Testing

@testable import HealthSync

@Suite("Types and units that a sync reads")
struct SyncReadingTests {
    @Test("Every sample type of the catalog is read, members before owners")
    func types() {
        let readable = TypeCatalog.all.filter { $0.kind != .characteristic && $0.kind != .activitySummary }
            .map(\.identifier)
        let left = Set(readable).subtracting(SyncTypes.all.union(SyncTypes.clinical).map(\.identifier))
        // Medications are not samples, and verifiable records have no public type.
        #expect(
            left == [
                "HKDataTypeIdentifierUserAnnotatedMedicationConcept", "HKDataTypeIdentifierVerifiableClinicalRecord",
            ])
        let order = SyncTypes.inOrder(SyncTypes.all)
        #expect(Set(order) == SyncTypes.all && order.count == SyncTypes.all.count)
        let firstOwner = order.firstIndex(where: SyncTypes.isOwner) ?? 0
        #expect(order[firstOwner...].allSatisfy(SyncTypes.isOwner))
        #expect(order.last == HKObjectType.workoutType())
    }

    @Test("A quantity keeps its number and unit")
    func units() {
        var units = QuantityUnits()
        let texts = Set(
            TypeCatalog.all.compactMap(\.canonicalUnit) + [
                "mi", "lb", "fl_oz_us", "kJ", "mg/dL", "mmol<180.15588000005408>/L", "mL/(kg*min)", "ft", "degF", "mcg",
                "in",
                "ms", "km/hr", "count/hr", "m/s^2", "kg/m^2", "J", "dBHL", "mcS", "hPa", "cup_us", "st", "Cal", "d",
            ])
        for text in texts {
            let unit = HKUnit(from: text)
            let quantity = HKQuantity(unit: unit, doubleValue: 61.7)
            #expect(units.parts(of: quantity) == SyncQuantity(61.7, unit: unit.unitString), "\(text)")
        }
    }

    @Test(
        "Text that is not a unit is recognized without asking HealthKit",
        arguments: [
            "", "x", "count min", "kg/", "/kg", "(kg", "kg)", "kg^", "kg^x", "mol<>", "g<1>", "kkg", "Mcal",
            "minute", "%%", "NaN m", "mg/dL/min", "kg/(m/s)", "m^2^2", "m^0", "m^1000001", "mol<0>", "mol<.>",
            String(repeating: "(", count: 65) + "m" + String(repeating: ")", count: 65),
        ])
    func notUnits(text: String) {
        #expect(!QuantityUnits.isUnit(text))
    }

    @Test("Metadata keeps the kinds of its values")
    func metadata() throws {
        var units = QuantityUnits()
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
        let values = MetadataValues.values(
            of: [
                "text": "a", "flag": true, "number": 3, "fraction": 2.5, "whole": 2.0, "date": date,
                "quantity": HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 4),
                "other": URL(fileURLWithPath: "/"),
                "boxed": NSNumber(value: false),
            ], &units)
        #expect(
            values == [
                "text": .string("a"), "flag": .bool(true), "number": .integer(3), "fraction": .double(2.5),
                "whole": .double(2), "date": .date(SyncDate(date)), "quantity": .quantity(SyncQuantity(4, unit: "km")),
                "boxed": .bool(false),
            ])
        #expect(MetadataValues.values(of: [:], &units) == nil)
    }
}
