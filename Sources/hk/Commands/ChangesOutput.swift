import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HealthStorage

/// How `hk changes` prints: as it reads, so that memory use doesn’t depend on the number of added samples.
protocol ChangesOutput {
    /// Prints some of what was read.
    mutating func list(
        _ added: ArraySlice<SampleSelection.Reference>, _ deleted: ArraySlice<StoredTombstone>,
        of changes: ChangesResult
    ) throws

    /// Prints the numbers.
    ///
    /// - Parameter left: The number of changes that weren’t listed.
    mutating func end(_ tally: ChangeTally, left: Int) throws
}

/// A line for each change, then a table of the numbers.
struct ChangesText: ChangesOutput {
    private let position: ChangePosition
    private let engine: HealthEngine
    private let dates: DateOutput
    private let units: WorkoutUnits
    private var shown: [TypeCode: SampleJSONWriter.Options] = [:]

    init(_ position: ChangePosition, _ engine: HealthEngine, calendar: Calendar, units: WorkoutUnits) {
        (self.position, self.engine, self.units) = (position, engine, units)
        dates = DateOutput(calendar: calendar)
    }

    mutating func list(
        _ added: ArraySlice<SampleSelection.Reference>, _ deleted: ArraySlice<StoredTombstone>,
        of changes: ChangesResult
    ) throws {
        let dictionaries = changes.added.dictionaries
        for reference in added {
            let code =
                switch reference {
                case .sample(let batch, _): changes.added.batches[Int(batch)].type
                case .object(let index): changes.added.objects[Int(index)].type
                }
            guard let type = dictionaries.type(code) else { continue }
            let listing = SampleListing(
                selection: changes.added, type: type, dates: dates, shown: try options(of: type), units: units)
            let cells = listing.cells(of: reference)
            print("+ \(line([cells[0], type.shortName] + cells[2...]))")
        }
        for deletion in deleted {
            let start = deletion.start.map { dates.minute(Date(timeIntervalSinceReferenceDate: $0)) }
            let name = dictionaries.type(deletion.type)?.shortName
            print("- \(line([start, name, deletion.uuid.uuidString].compactMap(\.self)))")
        }
        try StandardOutput.flush()
    }

    private mutating func options(of type: TypeDescription) throws -> SampleJSONWriter.Options {
        if let known = shown[type.code] { return known }
        let options = SampleJSONWriter.Options(units: try engine.displayUnits(inSamplesOf: [type], as: .person))
        shown[type.code] = options
        return options
    }

    private func line(_ cells: [String]) -> String {
        let line = cells.joined(separator: "  ")
        let terminal = Terminal.output
        return terminal.isTerminal ? Table.shortened(line, to: terminal.columns - 2) : line
    }

    mutating func end(_ tally: ChangeTally, left: Int) throws {
        func text(_ time: Double) -> String { dates.short(Date(timeIntervalSinceReferenceDate: time)) }
        if tally.total == 0 {
            print("No changes since \(text(position.time)).")
        } else {
            if left > 0 { print("… \(NumberOutput.grouped(left)) more: --limit 0 lists all.") }
            let table = Table(ofTypes: [("added", tally.added), ("deleted", tally.deleted)]) {
                (tally.added[$0] ?? 0) + (tally.deleted[$0] ?? 0)
            }
            print("\n\(table.text())\nSince \(text(position.time)).")
        }
    }
}

/// One JSON value with what was added, what was deleted, and the numbers.
struct ChangesJSON: ChangesOutput {
    private let position: ChangePosition
    private let instants: InstantWriter
    private var isBegun = false
    private var hasAdded = false
    /// The deletions, which follow all additions.
    private var deleted: [(uuid: UUID, type: String)] = []

    init(_ position: ChangePosition, _ timeZone: TimeZone) {
        self.position = position
        instants = InstantWriter(timeZone: timeZone)
    }

    mutating func list(
        _ added: ArraySlice<SampleSelection.Reference>, _ deleted: ArraySlice<StoredTombstone>,
        of changes: ChangesResult
    ) throws {
        var writer = SampleJSONWriter(changes.added, timeZone: instants.timeZone)
        if !isBegun { writer.add("{\"added\":[") }
        isBegun = true
        for reference in added {
            if hasAdded { writer.add(",") }
            hasAdded = true
            writer.write(reference, of: changes.added)
        }
        self.deleted += deleted.map {
            ($0.uuid, changes.added.dictionaries.type($0.type)?.identifier ?? "")
        }
        try StandardOutput.send(writer.bytes)
    }

    mutating func end(_ tally: ChangeTally, left: Int) throws {
        var json = JSONText()
        json.object { json in
            json.array("deleted") { json in
                for (uuid, type) in deleted {
                    json.object(["uuid": uuid.uuidString, "type": type])
                }
            }
            json.array("types") { json in
                for type in Set(tally.added.keys).union(tally.deleted.keys).sorted() {
                    json.object { json in
                        json.member("type", text: type)
                        json.member("added", integer: tally.added[type] ?? 0)
                        json.member("deleted", integer: tally.deleted[type] ?? 0)
                    }
                }
            }
            json.member("since", instant: position.time, instants)
            json.member("hasMore", flag: left > 0)
        }
        try StandardOutput.send(Array("],".utf8) + json.bytes.dropFirst() + Array("\n".utf8))
    }
}
