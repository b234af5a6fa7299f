import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthKit

@Suite struct MetadataDictionaryTests {
    private static let moment = Date(timeIntervalSinceReferenceDate: 1.25)

    /// Every way to say each kind, with what it must become.
    private static var cases: [(given: Any, kept: MetadataValue)] {
        [
            ("text", .string("text")),
            ("text" as NSString, .string("text")),
            (true, .bool(true)),
            (NSNumber(value: false), .bool(false)),
            (1, .integer(1)),
            (NSNumber(value: 1), .integer(1)),
            (Int8(1), .integer(1)),
            (UInt8(0), .integer(0)),
            (Int64.min, .integer(.min)),
            (UInt64.max, .double(Double(UInt64.max))),
            (1.0, .double(1)),
            (NSNumber(value: 2.5), .double(2.5)),
            (Float(2.5), .double(2.5)),
            (moment, .date(1.25)),
            (moment as NSDate, .date(1.25)),
            (HKQuantity(unit: HKUnit(from: "degF"), doubleValue: 56), .quantity(56, unit: "degF")),
        ]
    }

    @Test func everyKindIsKeptApart() throws {
        for (given, kept) in Self.cases {
            #expect(try MetadataDictionary.record(of: ["key": given])["key"] == kept, "\(given)")
        }
    }

    @Test func numbersConvertToRequestedTypes() throws {
        let values = MetadataDictionary(
            Metadata([
                .init(key: "yes", value: .bool(true)), .init(key: "seven", value: .integer(7)),
                .init(key: "half", value: .double(0.5)),
            ])
        ).values
        #expect(values["yes"] as? Bool == true)
        #expect(values["yes"] as? Int == 1)
        #expect((values["yes"] as? NSNumber)?.boolValue == true)
        #expect(values["seven"] as? Int == 7)
        #expect(values["seven"] as? Double == 7)
        #expect((values["seven"] as? NSNumber)?.intValue == 7)
        #expect(values["half"] as? Double == 0.5)
        #expect((values["half"] as? NSNumber)?.doubleValue == 0.5)
    }

    @Test func otherKindsAreUnchanged() throws {
        let values = MetadataDictionary(
            Metadata([
                .init(key: "text", value: .string("x")), .init(key: "date", value: .date(1.25)),
                .init(key: "amount", value: .quantity(56, unit: "degF")),
                .init(key: "strange", value: .quantity(5, unit: "no such unit")),
            ])
        ).values
        #expect(values["text"] as? String == "x")
        #expect(values["date"] as? Date == Self.moment)
        let quantity = try #require(values["amount"] as? HKQuantity)
        #expect(quantity.doubleValue(for: HKUnit(from: "degF")) == 56)
        #expect(values["strange"] as? String == "5.0 no such unit")
    }

    @Test func recordsGoThereAndBackUnchanged() throws {
        let record = Metadata(
            Self.cases.enumerated().map { .init(key: String(format: "key%02d", $0), value: $1.kept) })
        #expect(try MetadataDictionary.record(of: MetadataDictionary(record).values) == record)
    }

    @Test func theFirstOfARepeatedKeyAnswers() {
        let values = MetadataDictionary(
            Metadata([.init(key: "a", value: .integer(1)), .init(key: "a", value: .integer(2))])
        ).values
        #expect(values["a"] as? Int == 1)
    }

    @Test func otherClassesAreRefusedWithoutTellingTheValue() {
        #expect {
            try MetadataDictionary.record(of: ["secret": [41, 42]])
        } throws: { error in
            let reason = (error as? ValidationError)?.reason ?? ""
            return reason.contains("for metadata key: secret") && !reason.contains("41")
        }
    }

    @Test func nothingIsEmpty() throws {
        #expect(try MetadataDictionary.record(of: nil).isEmpty)
        #expect(try MetadataDictionary.record(of: [:]).isEmpty)
    }

    @Test func preservedElementsAreNotMetadata() {
        let metadata = Metadata([
            .init(key: "_archived.element", value: .string("<Thing/>")),
            .init(key: "HKFoodType", value: .string("Tea")),
        ])
        #expect(MetadataDictionary(metadata).values.keys.sorted() == ["HKFoodType"])
    }
}
