package import AppleHealthExport
package import Foundation
import HealthEngine
import HealthFiles
package import HealthJSON
import HealthModel

/// A document that Health Auto Export posted, read in two passes: the first checks the grammar of all of it, so that
/// nothing of a broken document is saved, and finds where the arrays are; the second translates and saves their
/// elements in batches.
package struct AutoExportDocument {
    /// A metric, whose name can come after its data.
    private struct MetricPlace {
        var name: String?
        var unit: String?
        var data: Int?
        /// A member that is wrong, for the report.
        var problem: String?
    }

    private let source: JSONSource
    private let header: IngestAggregation??
    private let dates: AutoExportDateReader
    private let writer: IngestWriter
    private let unread: UnreadEntries
    private var metrics: [MetricPlace] = []
    private var sections: [(name: String, offset: Int)] = []

    /// The elements that are translated and saved together.
    private static let batchSize = 2_000
    private static let maximumMetrics = 10_000
    static let sectionNames: Set<String> = [
        "metrics", "workouts", "stateOfMind", "medications", "symptoms", "cycleTracking", "ecg",
        "heartRateNotifications",
    ]

    /// - Parameters:
    ///   - header: What the header `automation-aggregation` says; see ``IngestAggregation/header(_:)``.
    ///   - slashed: The dates of the file that the document is a part of; its own by default.
    ///   - unread: Receives the entries that are not understood.
    package init(
        _ source: JSONSource, header: IngestAggregation??, timeZone: TimeZone, slashed: SlashedDates? = nil,
        writer: IngestWriter, unread: @escaping UnreadEntries
    ) {
        self.source = source
        self.header = header
        dates = AutoExportDateReader(timeZone: timeZone, slashed: slashed ?? SlashedDates(source))
        self.writer = writer
        self.unread = unread
    }

    /// Reads and saves the document.
    ///
    /// - Throws: ``JSONSyntaxError`` before anything is saved; the engine's errors.
    package mutating func ingest() throws {
        try index()
        for metric in metrics { try ingest(metric) }
        for section in sections { try ingest(section.name, at: section.offset) }
    }

    /// The person's time zone, as far as the dates that were read show it.
    package var timeZone: ArchiveTimeZone {
        var zone = ArchiveTimeZone()
        zone.dates = dates.offsets.dates
        return zone
    }

    // MARK: First pass

    private mutating func index() throws {
        var reader = JSONReader(source, isLenient: true)
        guard try reader.kind() == .object else {
            throw JSONSyntaxError(offset: 0, reason: "The document is not an object")
        }
        var metrics: [MetricPlace] = []
        var sections: [(String, Int)] = []
        var unknown: [IngestTally.Problem] = []
        var hasData = false
        try reader.object { reader, name in
            guard name == "data" else { return try reader.skip() }
            guard try reader.kind() == .object else {
                throw JSONSyntaxError(offset: reader.offset, reason: "“data” is not an object")
            }
            hasData = true
            try reader.object { reader, name in
                let isArray = try reader.kind() == .array
                // A member can occur more than once.
                guard sections.count < Self.maximumMetrics else {
                    throw JSONSyntaxError(offset: reader.offset, reason: "The document contains too many members")
                }
                let isKnown = Self.sectionNames.contains(name)
                if !isKnown || !isArray {
                    if unknown.count < 100 {
                        let reason = "The member is \(isKnown ? "not an array" : "unknown")."
                        unknown.append(.init(path: "data.\(name.prefix(100))", name: nil, reason: reason))
                    }
                    try reader.skip()
                } else if name == "metrics" {
                    try reader.array { reader, _ in
                        guard metrics.count < Self.maximumMetrics else {
                            throw JSONSyntaxError(
                                offset: reader.offset, reason: "The document contains too many metrics")
                        }
                        metrics.append(try Self.metric(&reader))
                    }
                } else {
                    sections.append((name, reader.offset))
                    try reader.skip()
                }
            }
        }
        try reader.end()
        guard hasData else { throw JSONSyntaxError(offset: 0, reason: "The document has no “data”") }
        self.metrics = metrics
        self.sections = sections
        for problem in unknown { writer.tally.add(problem) }
    }

    private static func metric(_ reader: inout JSONReader) throws -> MetricPlace {
        var place = MetricPlace()
        guard try reader.kind() == .object else {
            try reader.skip()
            place.problem = "The metric is not an object."
            return place
        }
        try reader.object { reader, member in
            switch (member, try reader.kind()) {
            case ("name", .string): place.name = try reader.value().text.map { String($0.prefix(200)) }
            case ("units", .string): place.unit = try reader.value().text
            case ("data", .array):
                place.data = reader.offset
                try reader.skip()
            case ("data", _):
                place.problem = "“data” is not an array."
                try reader.skip()
            default: try reader.skip()
            }
        }
        if place.problem == nil, place.name == nil { place.problem = "“name” is missing." }
        if place.problem == nil, place.data == nil { place.problem = "“data” is missing." }
        return place
    }

    // MARK: Second pass

    private mutating func ingest(_ place: MetricPlace) throws {
        guard let name = place.name, let data = place.data, place.problem == nil else {
            return writer.tally.add(
                .init(
                    path: "data.metrics", name: place.name.map { String($0.prefix(100)) },
                    reason: place.problem ?? "“data” is missing."))
        }
        let path = "data.metrics.data"
        guard let type = AutoExportNames.type(ofMetric: name) else {
            return try batches(at: data, size: Self.batchSize) { document, elements in
                for element in elements {
                    document.report(.unknownName, path: path, name: name, unit: place.unit, element)
                }
            }
        }
        var metric = AutoExportMetric(type: type, unit: place.unit, header: header, dates: dates)
        var isFirst = true
        try batches(at: data, size: Self.batchSize) { document, elements in
            if isFirst { metric.examine(elements) }
            isFirst = false
            var entries: [IngestEntry] = []
            entries.reserveCapacity(elements.count)
            for element in elements {
                do {
                    let found = try metric.entries(element)
                    for entry in found { try entry.validate(as: type) }
                    entries += found
                } catch let misfit as IngestEntryError {
                    document.report(misfit, path: path, name: name, unit: place.unit, element)
                }
            }
            try document.writer.write(entries)
        }
    }

    private mutating func ingest(_ section: String, at offset: Int) throws {
        let path = "data.\(section)"
        // Workouts and electrocardiograms can be large one by one.
        let isLarge = section == "workouts" || section == "ecg"
        let record = AutoExportRecord(dates: dates)
        let dates = dates
        try batches(at: offset, size: isLarge ? 1 : Self.batchSize) { document, elements in
            var entries: [IngestEntry] = []
            for element in elements {
                do {
                    if section == "workouts" {
                        let workout = try IngestWorkout(element, dates: dates)
                        try workout.entry.validate()
                        if let name = workout.unknownName {
                            document.writer.tally.add(
                                .init(
                                    path: path, name: name, reason: "The activity is unknown; it was saved as other.",
                                    isSaved: true))
                        }
                        try IngestObjectWriter(writer: document.writer).write(workout)
                        continue
                    }
                    let found: [IngestEntry] =
                        switch section {
                        case "stateOfMind": [try record.stateOfMind(element)]
                        case "ecg": [try record.electrocardiogram(element)]
                        case "heartRateNotifications": [try record.heartRateNotification(element)]
                        case "medications": try record.medication(element)
                        default: [try record.symptom(element)]
                        }
                    for entry in found {
                        try entry.validate()
                        if section == "ecg", AutoExportRecord.hasUnknownClass(entry) {
                            let reason = "The classification is unknown; it was saved as unrecognized."
                            document.writer.tally.add(.init(path: path, name: nil, reason: reason, isSaved: true))
                        }
                        // Objects are saved one by one, so that one whose identifier is taken doesn't stop the others.
                        if case .object = entry.item {
                            try document.writer.write([entry])
                        } else {
                            entries.append(entry)
                        }
                    }
                } catch let misfit as IngestEntryError {
                    document.report(misfit, path: path, name: element["name"]?.text, unit: nil, element)
                }
            }
            try document.writer.write(entries)
        }
    }

    /// Reads the elements of an array in batches.
    private mutating func batches(
        at offset: Int, size: Int, _ body: (inout AutoExportDocument, [JSONValue]) throws -> Void
    ) throws {
        var elements: [JSONValue] = []
        var reader = JSONReader(source, isLenient: true)
        reader.move(to: offset)
        try reader.array { reader, _ in
            elements.append(try reader.value())
            if writer.isInterrupted() {
                throw InterruptedImport(added: writer.tally.count(.saved) + writer.tally.count(.replaced))
            }
            if elements.count >= size {
                try body(&self, elements)
                elements.removeAll(keepingCapacity: true)
            }
        }
        if !elements.isEmpty { try body(&self, elements) }
    }

    // MARK: Entries

    private mutating func report(
        _ misfit: IngestEntryError, path: String, name: String?, unit: String?, _ element: JSONValue
    ) {
        let short = name.map { String($0.prefix(100)) }
        writer.tally.add(.init(path: path, name: short, reason: misfit.reason))
        unread(element, path, short, unit)
    }
}
