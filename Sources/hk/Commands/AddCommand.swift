import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// `hk add TYPE VALUE UNIT`: one sample by hand.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a sample by hand.",
        discussion: """
            Now, if no --start is given. Category types take a value, by number or by name, and no unit. A \
            value below zero wants “--” before it.

              hk add bodyMass 71.4 kg
              hk add dietaryEnergyConsumed 450 kcal --metadata HKFoodType=Soup
              hk add stepCount 900 count --start 2024-05-17T12:30 --end 2024-05-17T12:45
              hk add sleepAnalysis asleepDeep --start 2024-05-17 --end 2024-05-17T01:30
            """)

    @Argument(help: "The data type.")
    var type: String

    @Argument(help: "The value.")
    var value: String

    @Argument(help: "The unit, for quantities.")
    var unit: String?

    @Option(name: .long, help: "When it began.")
    var start: String?

    @Option(name: .long, help: "When it ended; at its start if not given.")
    var end: String?

    @Option(name: .long, help: "A metadata entry, KEY=VALUE; may be repeated.")
    var metadata: [String] = []

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var uuid: String
        var type: String
        var startDate: String
        var endDate: String
    }

    func run() throws {
        let engine = try options.openEngine(making: true)
        let type = try TypeName.resolve(type, dictionaries: engine.dictionaries())
        guard type.kind.isPaged else {
            throw UsageError("“\(TypeName.short(type.identifier))” cannot be added by hand.")
        }
        let value = try type.kind == .quantity ? quantity(of: type) : categoryValue(of: type)
        let text = DateText(calendar: RangeOptions.machineCalendar, now: Present.now)
        let start = try self.start.map { try text.span($0, option: "--start").start } ?? text.now
        let end = try self.end.map { try text.span($0, option: "--end").start } ?? start
        if end < start { throw UsageError("--end lies before --start.") }
        var sample = SampleRecord(
            uuid: UUID(), type: type.code, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate, value: value, unit: type.kind == .quantity ? unit ?? "" : "")
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

    private func quantity(of type: TypeDescription) throws -> Double {
        let name = TypeName.short(type.identifier)
        guard let number = Double(value), number.isFinite else { throw UsageError("“\(value)” is no number.") }
        guard let unit else {
            throw UsageError("“\(name)” wants a unit, such as \(type.canonicalUnit ?? "count").")
        }
        let own = type.canonicalUnit
        guard let given = try? UnitExpression(parsing: unit),
            try own.map({ given.isCompatible(with: try UnitExpression(parsing: $0)) }) ?? true
        else {
            throw UsageError("“\(unit)” is no unit of \(name)\(own.map { ", which is measured in \($0)" } ?? "").")
        }
        return number
    }

    private func categoryValue(of type: TypeDescription) throws -> Double {
        let name = TypeName.short(type.identifier)
        if let unit { throw UsageError("“\(name)” has no unit; “\(unit)” cannot be meant.") }
        let values = type.categoryValues ?? 0...0
        let number =
            Int(value) ?? values.first {
                CategoryValueName.identifier($0, enumeration: type.categoryEnumeration)?.lowercased() == value.lowercased()
            }
        guard let number, values.contains(number) else {
            let all = values.map { value in
                CategoryValueName.identifier(value, enumeration: type.categoryEnumeration).map { "\(value) (\($0))" }
                    ?? "\(value)"
            }
            throw UsageError("“\(value)” is no value of \(name); there are \(all.joined(separator: ", ")).")
        }
        return Double(number)
    }

    private func entry(_ text: String) throws -> Metadata.Entry {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw UsageError("--metadata “\(text)” is wanted as KEY=VALUE.")
        }
        let value = String(text[text.index(after: sign)...])
        let typed: MetadataValue = Int64(value).map { .integer($0) } ?? Double(value).map { .double($0) } ?? .string(value)
        return Metadata.Entry(key: String(text[..<sign]), value: typed)
    }
}
