import Foundation
import HealthAnswers
import HealthEngine
import HealthJSON
import HealthModel
import HealthStorage

@testable import AppleHealthExport
@testable import HealthFormats
@testable import HealthIngest
@testable import HealthKit
@testable import HealthSQL
@testable import HealthServer
@testable import HealthSync

/// Short texts: units, predicates, dates, SQL, and parameters of requests.
enum TextTargets {
    static let all = [
        FuzzTarget(
            name: "unit",
            examples: texts([
                "count/min", "kg·m^2/s^2", "mmol<180.15588>/L", "mL/(kg*min)", "()", "degC", "m^-3", "dBASPL",
                "fl_oz_us",
            ]),
            words: [
                "^", "/", "·", "*", "(", ")", "<", ">", "mol<", "k", "µ", "da", "999999999", "-9223372036854775808",
                "1",
            ]
        ) { try unit(String(decoding: $0, as: UTF8.self)) },
        FuzzTarget(name: "predicate", examples: texts(predicates), words: predicateWords) {
            try predicate(String(decoding: $0, as: UTF8.self))
        },
        FuzzTarget(
            name: "date", examples: texts(dates),
            words: [
                "T", "Z", "+14:00", "-00:30", "24:00", "60", "AM", "\u{202F}PM", "0000", "9999", "ge", ".999999999",
            ]
        ) {
            try date($0)
        },
        FuzzTarget(name: "sql", examples: texts(statements), words: sqlWords, mutations: 600) {
            try sql(String(decoding: $0, as: UTF8.self))
        },
        FuzzTarget(
            name: "parameters",
            examples: texts([
                "type=stepCount&start=2026-01-01&end=2026-02-01&limit=10",
                "where=value%3E1&order=-startDate&cursor=AAAA", "anchor=0123456789ab-17&timeZone=Europe/Berlin",
            ]),
            words: ["%", "%zz", "+", "&", "=", "now", "cursor=", "anchor=", "-9223372036854775808"]
        ) { try parameters(String(decoding: $0, as: UTF8.self)) },
    ]

    private static func texts(_ list: [String]) -> @Sendable () -> [[UInt8]] { { list.map { Array($0.utf8) } } }

    // MARK: Units

    private static func unit(_ text: String) throws {
        guard let unit = try? UnitExpression(parsing: text) else { return }
        let printed = unit.description
        // A short text can denote a unit that is too long to be read.
        guard printed.count <= 1_000 else { return }
        guard let again = try? UnitExpression(parsing: printed) else { throw FuzzFailure("“\(printed)” can’t be read") }
        try FuzzFailure.unless(again == unit, "“\(printed)” is another unit")
        let kit = HKUnit.parsed(text)
        try FuzzFailure.unless(kit?.unitString == printed, "HKUnit has another text")
        for other in ["kg", "count/min", "mol<180>/L", "degF"] {
            _ = unit.conversion(to: try UnitExpression(parsing: other)).map { $0(1) }
        }
    }

    // MARK: Predicates

    private static let predicates = [
        "startDate >= %@ AND endDate < %@", "quantity > %@ OR NOT (sourceRevision.source.bundleIdentifier == 'a')",
        "metadata.HKWasUserEntered == YES", "value IN {1, 2, 3}", "device.name LIKE[cd] 'App*'", "ANY x MATCHES 'a+b'",
        "SELF BETWEEN {1, 2.5e3}", "TRUEPREDICATE", "%K CONTAINS[c] \"x\\\"y\"",
        "UUID == %@ && (FALSEPREDICATE || !TRUEPREDICATE)",
        "workoutActivityType = 37 AND duration > 0x10", "metadata.%K BEGINSWITH 'a' AND sum.y != nil",
    ]
    private static let predicateWords = [
        "AND", "OR", "NOT", "(", ")", "{", "}", "%@", "%K", "%d", "==", "BETWEEN", "MATCHES", "LIKE", "[cd]", "'", "\"",
        "metadata.", "SELF",
        "nil", "startDate", "quantity", "duration", "value", "uuid", "(a+)+$", "*?*", "TRUEPREDICATE",
    ]

    private static func predicate(_ format: String) throws {
        let arguments: [Any?] = [
            Date(timeIntervalSinceReferenceDate: 0), HKQuantity(unit: .count(), doubleValue: 1), "startDate", 7, nil,
            ["a", "b"], UUID(),
        ]
        guard let node = try? PredicateFormatParser.parse(format, arguments: arguments) else { return }
        let predicate = StructuredPredicate(node)
        _ = (predicate.predicateFormat, predicate.hash)
        let steps = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 12),
            start: Date(timeIntervalSinceReferenceDate: 0), end: Date(timeIntervalSinceReferenceDate: 60),
            metadata: ["k": "aaaa"])
        _ = predicate.evaluate(with: steps)
        for type in [HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis), HKObjectType.workoutType()]
            as [HKObjectType]
        {
            guard let translated = try? PredicateTranslation.translate(predicate, for: type) else { continue }
            _ = translated.residual?(steps)
        }
        guard let again = try? PredicateFormatParser.parse(format, arguments: arguments) else {
            throw FuzzFailure("a format is read once only")
        }
        try FuzzFailure.unless(again == node, "a format is read differently")
    }

    // MARK: Dates

    private static let dates = [
        "2026-02-06T14:30:00.250+02:00", "2026-02-06 14:30:00 -0800", "2024-02-29", "2024-03", "2024",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:60Z", "2026-02-06 2:30:00\u{202F}PM +0000", "ge2026-02-06T14:30", "1582-10-15 00:00:00 +0000",
        "20240301100000+0100",
    ]

    private static func date(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
        if let instant = LocalClock(timeZone: zone).instant(of: text) {
            try FuzzFailure.unless(instant.isFinite, "an instant isn’t finite")
            // Outside the years 1 to 9999 in the time zone, the writer writes the first or the last instant.
            guard (-63_113_900_000...252_423_900_000).contains(instant) else { return }
            let written = InstantWriter(timeZone: zone).text(instant)
            try FuzzFailure.unless(
                LocalClock(timeZone: .gmt).instant(of: written) == instant, "“\(written)” is another instant")
        }
        if let instant = ArchiveDate.parse(text), abs(instant) < 2e11, instant == instant.rounded() {
            let written = ArchiveDate.print(instant, offset: 3_600)
            try FuzzFailure.unless(ArchiveDate.parse(written) == instant, "“\(written)” is another instant")
        }
        _ = DateText.day(text)
        let slashed = SlashedDates { $0(.string(text)) }
        _ = (
            AutoExportDateReader(timeZone: zone, slashed: slashed).date(text), FHIRDate(text, timeZone: zone)?.filter
        )
        if let seconds = SyncDate.seconds(of: text), let written = SyncDate.text(of: seconds) {
            try FuzzFailure.unless(SyncDate.seconds(of: written) == seconds, "“\(written)” is another instant")
        }
        _ = LocalClock(timeZone: zone)
    }

    // MARK: SQL

    private static let statements = [
        "SELECT day, sum(value) FROM step_count GROUP BY day",
        "SELECT * FROM samples WHERE type = 'stepCount' AND start > '2024-01-01' LIMIT 3",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 9) SELECT x, printf('%08.3f', x) FROM c",
        "SELECT json_extract(metadata, '$.a') FROM heart_rate ORDER BY value DESC", "PRAGMA table_info(step_count)",
        "SELECT avg(value) OVER (ORDER BY start ROWS 3 PRECEDING) FROM step_count",
        "SELECT * FROM daily WHERE type LIKE 'step%'",
        "SELECT hex(zeroblob(10)), replace('aaa', 'a', 'bb'), group_concat(value) FROM step_count",
    ]
    private static let sqlWords = [
        "SELECT ", " FROM ", "WITH RECURSIVE ", " UNION ALL ", "ATTACH ", "PRAGMA ", "zeroblob(", "printf(",
        "randomblob(", "1e999", "x'00'",
        "samples", "workouts", "step_count", "daily", "metadata", " GROUP BY ", " ORDER BY ", " LIMIT ", "rowid",
        "strftime(", "local_day(", "'",
    ]

    /// A store with a few samples, which statements can't change.
    private static let engine: HealthEngine = {
        do {
            let engine = try HealthEngine(
                storage: InMemoryStorage(), configuration: EngineConfiguration(pageCapacity: 50, now: { 0 }))
            let noted = Metadata([.init(key: "a", value: .integer(1))])
            let samples = (0..<200).map { (row: Int) -> SaveItem in
                let (name, unit) = row % 2 == 0 ? ("StepCount", "count") : ("HeartRate", "count/min")
                let type = TypeCatalog.description(for: "HKQuantityTypeIdentifier" + name)!.code
                let start = 700_000_000 + Double(row) * 3_600
                return .sample(
                    SampleRecord(
                        type: type, start: start, end: start + 60, value: Double(row), unit: unit,
                        metadata: row % 5 == 0 ? noted : .empty))
            }
            try engine.save(samples, as: caller)
            return engine
        } catch {
            fatalError("The store can’t be filled: \(error)")
        }
    }()

    static let caller = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.fuzz", name: "Fuzz")),
        permission: .owner)

    private static func sql(_ text: String) throws {
        try engine.withReader(as: caller) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            try database.limitStatements(seconds: 0.2)
            do {
                for statement in try database.statements(text).prefix(4) {
                    var rows = 0
                    while rows < 100, try statement.step() {
                        rows += 1
                        _ = statement.values
                    }
                }
            } catch {
                try FuzzFailure.unless(error is SQLError, "an error without a type of its own: \(error)")
            }
        }
    }

    // MARK: Parameters

    private static func parameters(_ text: String) throws {
        if var parameters = try? QueryParameters(query: text) {
            for name in ["type", "start", "end", "limit", "where", "order", "timeZone"] {
                _ = try? parameters.text(name)
            }
            _ = try? parameters.finish()
        }
        for part in text.split(separator: "&") {
            let value = String(part.drop { $0 != "=" }.dropFirst())
            for order in SamplePosition.Order.allCases {
                guard let position = try? SamplePosition(value, order: order) else { continue }
                try FuzzFailure.unless(try SamplePosition(position.text, order: order) == position, "a cursor changed")
            }
            if let anchor = try? ChangeAnchor(value, of: engine) {
                try FuzzFailure.unless(try ChangeAnchor(anchor.text, of: engine) == anchor, "an anchor changed")
            }
        }
    }
}
