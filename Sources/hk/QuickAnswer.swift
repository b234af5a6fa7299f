import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthStorage
import HealthStorageSQLite

/// The answer to `hk stats` about a quantity type, for prompts and status bars that ask again and again.
///
/// Parsing the arguments of all commands, opening a store for everything that can be done with it, and the queries of
/// HealthKit each take longer than reading a week. This does without, for a store file that nobody has open. What it
/// doesn't know, and what it can't answer, is left to ``StatsCommand``, whose answers are the same.
enum QuickAnswer {
    /// Answers a command line and ends the process, or returns if the command has to find out.
    ///
    /// - Parameter arguments: The arguments of the program, with its name.
    /// - Throws: ``OutputError`` if the answer can’t be written.
    static func run(_ arguments: [String]) throws {
        guard arguments.count > 2, arguments[1] == "stats", let given = Arguments(arguments.dropFirst(2)),
            case let path = given.store ?? HKHealthStore.Configuration.defaultStorePath,
            !StorageProviders.isAddress(path),
            (try? CurrentTime.check()) != nil, let reader = SQLiteReader(path: path)
        else { return }
        var engine: HealthEngine?
        guard let text = try? text(to: given, reader, &engine) else { return }
        try StandardOutput.send(Array(text.utf8))
        // Nothing was written to the store that would have to be closed.
        withExtendedLifetime(engine) { exit(EXIT_SUCCESS) }
    }

    private static func text(to given: Arguments, _ reader: SQLiteReader, _ opened: inout HealthEngine?) throws
        -> String?
    {
        var configuration = EngineConfiguration()
        configuration.movesFormerTypes = false
        let engine = try HealthEngine(storage: reader, configuration: configuration)
        opened = engine
        let type = try TypeName.resolve(given.type, dictionaries: engine.dictionaries())
        guard type.kind == .quantity, type.aggregationStyle != nil, try engine.isWhole(type) else { return nil }
        return try QuantityReport(
            type: type, range: given.range, interval: given.every, unit: given.unit, form: given.form
        ).text(of: engine)
    }

    /// The arguments of `hk stats`.
    private struct Arguments {
        var type = ""
        var range = RequestedRange()
        var every: StatisticsInterval?
        var unit: String?
        var store: String?
        var form = QuantityReport.Form.table

        /// Returns `nil` for arguments that ``StatsCommand`` doesn't have, or takes in another way.
        init?(_ arguments: ArraySlice<String>) {
            var rest = arguments
            var seen: [Substring] = []
            while let argument = rest.popFirst() {
                guard argument.utf8.starts(with: "--".utf8) else {
                    guard type.isEmpty, !argument.isEmpty, argument.utf8.first != UInt8(ascii: "-") else { return nil }
                    type = argument
                    continue
                }
                let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard !seen.contains(parts[0]) else { return nil }
                seen.append(parts[0])
                if parts.count == 1, argument == "--json" || argument == "--chart" {
                    // JSON comes before a chart.
                    if form != .json { form = argument == "--json" ? .json : .chart }
                    continue
                }
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(),
                    value.utf8.first != UInt8(ascii: "-"),
                    set(parts[0], to: value)
                else { return nil }
            }
            guard !type.isEmpty, range.last == nil || range.from == nil && range.to == nil else { return nil }
        }

        private mutating func set(_ option: Substring, to value: String) -> Bool {
            switch option {
            case "--from": range.from = value
            case "--to": range.to = value
            case "--last": range.last = value
            case "--unit": unit = value
            case "--store": store = value
            case "--every":
                every = StatisticsInterval(rawValue: value)
                return every != nil
            case "--time-zone":
                range.timeZone = value
                return value == "UTC" || TimeZone(identifier: value) != nil
            default: return false
            }
            return true
        }
    }
}
