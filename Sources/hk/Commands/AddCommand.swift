import ArgumentParser
import Foundation
import HealthEngine
import HealthKit
import HealthModel

/// `hk add TYPE VALUE UNIT`: one sample by hand.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a sample.",
        discussion: """
            The sample starts now unless --start is given. Category types take a value, as a number or a name, and \
            no unit. Percentages are as other commands show them: 97 % is the fraction 0.97. Put “--” before a negative value. \
            Weights, heights, temperatures of the body and heart rates that no living person can have are refused.

              hk add weight 71.4 kg
              hk add oxygenSaturation 97 %
              hk add dietaryEnergyConsumed 450 kcal --metadata HKFoodType=Soup
              hk add stepCount 900 count --start 2024-05-17T12:30 --end 2024-05-17T12:45
              hk add sleepAnalysis asleepDeep --start 2024-05-17 --end 2024-05-17T01:30
            """)

    @Argument(help: "The data type.", completion: TypeCompletion.name)
    var type: String

    @Argument(help: "The value.")
    var value: String

    @Argument(help: "The unit, for quantities.")
    var unit: String?

    @Option(name: .long, help: "The start of the sample.")
    var start: String?

    @Option(name: .long, help: "The end of the sample (default: its start).")
    var end: String?

    @Option(name: .long, help: "A metadata entry, KEY=VALUE. Can be repeated.")
    var metadata: [String] = []

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var uuid: String
        var type: String
        var startDate: String
        var endDate: String
    }

    func run() async throws {
        let engine = try options.openEngine(creating: true)
        let type = try TypeName.resolve(type, dictionaries: engine.dictionaries())
        guard type.kind.isPaged else {
            throw UsageError("Samples of “\(TypeName.short(type.identifier))” can’t be added by hand.")
        }
        let (value, unit) = try await type.kind == .quantity ? quantity(of: type) : (categoryValue(of: type), "")
        let text = DateArgument()
        let start = try self.start.map { try text.span($0, option: "--start").start } ?? text.now
        let end = try self.end.map { try text.span($0, option: "--end").start } ?? start
        if end < start { throw UsageError("--end is earlier than --start.") }
        if start > CurrentTime.now { throw UsageError("--start is in the future.") }
        if end > CurrentTime.now { throw UsageError("--end is in the future.") }
        var sample = SampleRecord(
            uuid: UUID(), type: type.code, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate, value: value, unit: unit)
        sample.metadata = Metadata(
            [Metadata.Entry(key: MetadataKey.wasUserEntered, value: .bool(true))] + (try metadata.map(entry)))
        try engine.save([.sample(sample)], as: .person)
        let dates = DateOutput(calendar: RangeOptions.machineCalendar)
        if options.json {
            try JSONOutput.print(
                Answer(
                    uuid: sample.uuid?.uuidString ?? "", type: type.identifier, startDate: dates.iso(start),
                    endDate: dates.iso(end)))
        } else {
            print("Added \(TypeName.short(type.identifier)) at \(dates.minute(start)).")
        }
    }

    private func quantity(of type: TypeDescription) async throws -> (value: Double, unit: String) {
        let name = TypeName.short(type.identifier)
        // People write 97% as one word.
        let isPercentage = unit == nil && value.hasSuffix("%")
        let value = isPercentage ? String(value.dropLast()) : value
        guard let number = Double(value), number.isFinite else { throw UsageError("“\(value)” is not a number.") }
        guard let unit = isPercentage ? "%" : unit else {
            let shown = try await shownUnit(of: type)
            throw UsageError("“\(name)” needs a unit, such as \(shown ?? "count").")
        }
        let own = type.canonicalUnit
        guard let given = try? UnitExpression(parsing: unit),
            try own.map({ given.isCompatible(with: try UnitExpression(parsing: $0)) }) ?? true
        else {
            let shown = try await shownUnit(of: type)
            throw UsageError("“\(unit)” is not a unit of \(name)\(shown.map { ", which is measured in \($0)" } ?? "").")
        }
        if number < 0, own != nil, !Self.hasNegativeValues(type) {
            throw UsageError("“\(value) \(unit)” can’t be: \(name) is never less than 0.")
        }
        // In other units, such as count, a percentage is a fraction.
        if own == "%", let conversion = given.conversion(to: try UnitExpression(parsing: "%")),
            conversion(number) > (unit == "%" ? 100 : 1)
        {
            throw UsageError("“\(value) \(unit)” can’t be: \(name) is never more than 100 %.")
        }
        try checkLimits(number, given, of: name)
        return (unit == "%" ? number / 100 : number, unit)
    }

    private func checkLimits(_ number: Double, _ unit: UnitExpression, of name: String) throws {
        guard let (range, own) = Self.limits[name],
            let conversion = unit.conversion(to: try UnitExpression(parsing: own)), !range.contains(conversion(number))
        else { return }
        throw UsageError(
            "“\(value) \(unit.string)” can’t be: \(name) is from \(NumberOutput.plain(range.lowerBound)) to "
                + "\(NumberOutput.plain(range.upperBound)) \(own).")
    }

    /// What a living person can have, with the unit of the limits. They are wide: they refuse a slip of the finger or
    /// of the unit, not a rare value.
    private static let limits: [String: (ClosedRange<Double>, String)] = [
        "bodyMass": (0.1...1_000, "kg"), "leanBodyMass": (0.1...1_000, "kg"), "height": (0.1...3, "m"),
        "bodyMassIndex": (1...500, "count"), "bodyTemperature": (10...50, "degC"),
        "basalBodyTemperature": (10...50, "degC"),
        "heartRate": (1...500, "count/min"), "restingHeartRate": (1...500, "count/min"),
    ]

    /// The unit that other commands show the type in; `nil` for a type that only this store knows.
    private func shownUnit(of type: TypeDescription) async throws -> String? {
        guard type.canonicalUnit != nil else { return nil }
        let quantityType = HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
        return try await options.openStore().preferredUnits(for: [quantityType])[quantityType]?.unitString
    }

    /// Whether values below zero exist: temperatures and levels on a scale that isn’t a ratio.
    private static func hasNegativeValues(_ type: TypeDescription) -> Bool {
        guard let unit = type.canonicalUnit else { return true }
        return unit.hasPrefix("deg") || unit == "K" || unit.hasPrefix("dB")
    }

    private func categoryValue(of type: TypeDescription) throws -> Double {
        let name = TypeName.short(type.identifier)
        if let unit { throw UsageError("“\(name)” doesn’t take a unit. Remove “\(unit)”.") }
        let values = type.categoryValues ?? 0...0
        let number =
            Int(value)
            ?? values.first {
                let name = ValueNames.name(of: $0, of: type)
                // Other commands show it in words: asleep deep.
                return name?.lowercased() == value.lowercased().filter { !$0.isWhitespace }
            }
        guard let number, values.contains(number) else {
            let all = values.map { value in
                ValueNames.name(of: value, of: type).map { "\(value) (\($0))" } ?? "\(value)"
            }
            throw UsageError("“\(value)” is not a value of \(name). Use one of \(all.joined(separator: ", ")).")
        }
        return Double(number)
    }

    private func entry(_ text: String) throws -> Metadata.Entry {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw UsageError("--metadata: “\(text)” is not a metadata entry. Use the form KEY=VALUE.")
        }
        let value = String(text[text.index(after: sign)...])
        let typed: MetadataValue =
            Int64(value).map { .integer($0) } ?? Double(value).map { .double($0) } ?? .string(value)
        return Metadata.Entry(key: String(text[..<sign]), value: typed)
    }
}
