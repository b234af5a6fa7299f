import ArgumentParser
import Foundation
import HealthEngine
import HealthFormats
import HealthKit
import HealthModel

/// `hk add TYPE VALUE UNIT`: one sample by hand.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a sample.",
        discussion: """
            The sample starts now unless --start is given. Category types take a value, as a number or a name, and no \
            unit. Percentages are as other commands show them: 97 % is the fraction 0.97. Put “--” before a negative \
            value. Implausible values, such as a height of 17 m, are rejected with the range of the type, unless \
            --allow-implausible is given.

              hk add weight 71.4kg
              hk add bloodPressure 120/80
              hk add oxygenSaturation 97 %
              hk add dietaryEnergyConsumed 450 kcal --metadata HKFoodType=Soup
              hk add stepCount 900 count --start 2024-05-17T12:30 --end 2024-05-17T12:45
              hk add sleepAnalysis asleepDeep --start 2024-05-17 --end 2024-05-17T01:30
            """)

    @Argument(help: "The data type.", completion: TypeCompletion.name)
    var type: String

    @Argument(help: "The value; for a blood pressure both, like 120/80.")
    var value: String

    @Argument(help: "The unit, for quantities (of a blood pressure mmHg by default).")
    var unit: String?

    @Option(name: .long, help: "The start of the sample.")
    var start: String?

    @Option(name: .long, help: "The end of the sample (default: its start).")
    var end: String?

    @Option(name: .long, help: "A metadata entry, KEY=VALUE. Can be repeated.")
    var metadata: [String] = []

    @Flag(name: .long, help: "Also add a value outside the plausible range of the type.")
    var allowImplausible = false

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var uuid: String
        var type: String
        var startDate: String
        var endDate: String
    }

    func run() async throws {
        let engine = try options.openEngine(
            creating: true, configuration: StoreOptions.configuration)
        let dictionaries = try engine.dictionaries()
        let type = try TypeName.resolveSampled(type, dictionaries: dictionaries)
        let isPressure = type.identifier == Self.pressure
        guard type.kind.isPaged || isPressure else {
            throw UsageError("Samples of “\(TypeName.short(type.identifier))” can’t be added by hand.")
        }
        let calendar = try RangeOptions.calendar(nil, options)
        let text = DateArgument(calendar: calendar)
        let start = try self.start.map { try text.span($0, option: "--start").start } ?? text.now
        let given = try self.end.map { try text.span($0, option: "--end") } ?? (start: start, end: start)
        let end = given.end
        // The day before the start ends when the sample starts.
        if end < start || given.start < start && end == start { throw UsageError("--end is earlier than --start.") }
        if start > CurrentTime.now { throw UsageError("--start is in the future.") }
        if end > CurrentTime.now { throw UsageError("--end is in the future.") }
        let metadata = Metadata(
            [Metadata.Entry(key: MetadataKey.wasUserEntered, value: .bool(true))] + (try self.metadata.map(entry)))
        if let (key, values) = Self.required[TypeName.short(type.identifier)], metadata[key] == nil {
            throw UsageError("“\(TypeName.short(type.identifier))” needs --metadata \(key)=\(values).")
        }
        func sample(_ type: TypeDescription, _ value: Double, _ unit: String) -> SampleRecord {
            SampleRecord(
                uuid: UUID(), type: type.code, start: start.timeIntervalSinceReferenceDate,
                end: end.timeIntervalSinceReferenceDate, value: value, unit: unit, metadata: metadata)
        }
        let uuid: UUID?
        let item: SaveItem
        if isPressure {
            let correlation = ObjectRecord(
                uuid: UUID(), type: type.code, start: start.timeIntervalSinceReferenceDate,
                end: end.timeIntervalSinceReferenceDate, metadata: metadata,
                members: try await pressures(dictionaries).map { sample($0.type, $0.value, $0.unit) })
            (uuid, item) = (correlation.uuid, .object(correlation))
        } else {
            let (value, unit) =
                try await type.kind == .quantity
                ? quantity(of: type, self.value, self.unit) : (categoryValue(of: type), "")
            let record = sample(type, value, unit)
            (uuid, item) = (record.uuid, .sample(record))
        }
        try engine.save([item], as: .person)
        let dates = DateOutput(calendar: calendar)
        if options.json {
            try JSONOutput.print(
                Answer(
                    uuid: uuid?.uuidString ?? "", type: type.identifier, startDate: dates.iso(start),
                    endDate: dates.iso(end)))
        } else {
            print("Added \(TypeName.short(type.identifier)) at \(dates.minute(start)).")
        }
    }

    /// The metadata that types can't be without, and its values.
    private static let required = [
        "menstrualFlow": ("HKMenstrualCycleStart", "1 on the first day of a cycle, or =0 on the others"),
        "insulinDelivery": ("HKInsulinDeliveryReason", "1 for basal, or =2 for bolus insulin"),
    ]

    private static let pressure = "HKCorrelationTypeIdentifierBloodPressure"

    /// The parts of a blood pressure like `120/80`.
    private func pressures(
        _ dictionaries: StoreDictionaries
    ) async throws -> [(type: TypeDescription, value: Double, unit: String)] {
        let parts = value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw UsageError("“\(value)” is not a blood pressure. Use a form like 120/80, the systolic pressure first.")
        }
        var pressures: [(type: TypeDescription, value: Double, unit: String)] = []
        for (name, part) in zip(["bloodPressureSystolic", "bloodPressureDiastolic"], parts) {
            let type = try TypeName.resolve(name, dictionaries: dictionaries)
            // 120/80mmHg has its unit once.
            let unit = self.unit ?? MeasureArgument(parts[1])?.unit ?? "mmHg"
            let number = MeasureArgument(part).map(\.number) ?? part
            let pressure = try await quantity(of: type, number, unit)
            pressures.append((type, pressure.value, pressure.unit))
        }
        guard pressures[0].value > pressures[1].value else {
            throw UsageError("“\(value)” can’t be: the systolic pressure, the first, is the higher one.")
        }
        return pressures
    }

    private func quantity(
        of type: TypeDescription, _ value: String, _ unit: String?
    ) async throws -> (value: Double, unit: String) {
        let name = TypeName.short(type.identifier)
        // People write 97% and 71kg as one word. Other notations, such as 0x10, are a slip of the finger.
        let measure = MeasureArgument(value)
        if let unit, let written = measure?.unit {
            throw UsageError("The value has the unit “\(written)” already. Remove “\(unit)”.")
        }
        guard let measure, let number = Double(measure.number), number.isFinite
        else {
            let range = PlausibleRange(type).map { " \(name) is from \($0.text)." } ?? ""
            throw UsageError("“\(value)” is not a number.\(range)")
        }
        // Counts have no other unit.
        let value = measure.number
        guard let unit = unit ?? measure.unit ?? (type.canonicalUnit == "count" ? "count" : nil) else {
            let shown = try await displayUnit(of: type)
            throw UsageError("“\(name)” needs a unit, such as \(shown ?? "count").")
        }
        let own = type.canonicalUnit
        guard let given = try? UnitExpression(words: unit, of: type),
            try own.map({ given.isCompatible(with: try UnitExpression(parsing: $0)) }) ?? true
        else {
            let shown = try await displayUnit(of: type)
            throw UsageError("“\(unit)” is not a unit of \(name)\(shown.map { ", which is measured in \($0)" } ?? "").")
        }
        // In other units, such as count, a percentage is a fraction.
        let stored = given.string == "%" ? number / 100 : number
        if let range = PlausibleRange(type), !allowImplausible, !range.contains(stored, given.string) {
            throw UsageError("“\(value) \(unit)” can’t be: \(name) is from \(range.text).")
        }
        return (stored, given.string)
    }

    /// The unit that other commands show the type in; `nil` for a type that only this store knows.
    private func displayUnit(of type: TypeDescription) async throws -> String? {
        guard type.canonicalUnit != nil else { return nil }
        let quantityType = HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
        return try await options.openStore().preferredUnits(for: [quantityType])[quantityType]?.unitString
    }

    private func categoryValue(of type: TypeDescription) throws -> Double {
        let name = TypeName.short(type.identifier)
        if let unit { throw UsageError("“\(name)” doesn’t take a unit. Remove “\(unit)”.") }
        let values = type.categoryValues ?? 0...0
        let names = ValueNames.all(of: type)
        // Other commands show it in words: asleep deep, and its stage as deep.
        let wanted = value.lowercased().filter { !$0.isWhitespace }
        let exact = names.first { $0.name.lowercased() == wanted }
        let ending = wanted.count > 2 ? names.filter { $0.name.lowercased().hasSuffix(wanted) } : []
        var number = Int(value) ?? exact?.value
        if number == nil, ending.count == 1 { number = ending[0].value }
        if names.isEmpty, wanted == "notapplicable" { number = values.lowerBound }
        guard let number, values.contains(number) else {
            if names.isEmpty, values.count == 1 {
                throw UsageError(
                    "“\(value)” is not a value of \(name), which only has \(values.lowerBound). Its time is from --start to --end."
                )
            }
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
        let (key, value) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
        if let measured = try quantity(value, of: key) { return Metadata.Entry(key: key, value: measured) }
        let typed: MetadataValue =
            Int64(value).map { .integer($0) } ?? Double(value).map { .double($0) } ?? .string(value)
        return Metadata.Entry(key: key, value: typed)
    }

    /// The value of a metadata key whose values are quantities, such as `5 m`; `nil` for other keys.
    private func quantity(_ text: String, of key: String) throws -> MetadataValue? {
        guard case .quantity(let unit)? = MetadataRules.expectations[key] else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, let number = Double(parts[0]), number.isFinite,
            let given = try? UnitExpression(words: parts[1])
        else {
            throw UsageError(
                "--metadata: \(key) is a quantity\(unit.map { ", such as “5 \($0)”" } ?? " with its unit").")
        }
        return .quantity(number, unit: given.string)
    }
}
