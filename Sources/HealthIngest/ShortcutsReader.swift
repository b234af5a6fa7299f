package import Foundation
package import HealthJSON
import HealthModel

/// Reads what a shortcut on an iPhone posts: one sample, or a list of them, as JSON or as a form.
///
/// A sample has `type`, `value` and `unit`, and `date` or `start` and `end`. Values and dates can be lists, as arrays
/// or as lines of a text, which is how Shortcuts writes the results of “Find Health Samples”.
package struct ShortcutsReader {
    /// A posted sample and its place in the body.
    package struct Item {
        package var path: String
        package var value: JSONValue
    }

    private let dates: AutoExportDateReader
    private let now: Double
    private static let maximumSamples = 100_000
    /// The largest number of members of an object, and of parameters.
    private static let maximumMembers = 200

    /// - Parameters:
    ///   - now: The date of samples without one, in seconds since 2001.
    ///   - slashed: The dates of the samples, or of the file that they are a part of.
    package init(timeZone: TimeZone, now: Double, slashed: SlashedDates) {
        dates = AutoExportDateReader(timeZone: timeZone, slashed: slashed)
        self.now = now
    }

    // MARK: Bodies

    /// The samples of a body, with the parameters of the URL as defaults.
    ///
    /// - Throws: ``JSONSyntaxError``; ``IngestBodyError``.
    package static func items(_ body: [UInt8], media: String?, parameters: [(String, String)]) throws -> [Item] {
        var defaults: [String: JSONValue] = [:]
        // They are copied into each sample.
        guard parameters.count <= maximumMembers else {
            throw IngestBodyError(kind: .parameters, reason: "The request has more than \(maximumMembers) parameters.")
        }
        for (name, value) in parameters where name != "timeZone" { defaults[name] = .string(value) }
        func item(_ path: String, _ members: [String: JSONValue] = [:]) -> Item {
            Item(path: path, value: .object(JSONMembers(defaults.merging(members) { $1 })))
        }
        let media = media?.lowercased() ?? ""
        if media.hasPrefix("application/x-www-form-urlencoded") {
            return [item("body", form(body))]
        }
        if media.hasPrefix("multipart/form-data") {
            return [item("body", try multipart(body, media: media))]
        }
        if body.isEmpty {
            guard !defaults.isEmpty else { throw IngestBodyError(kind: .form, reason: "The body is empty.") }
            return [item("parameters")]
        }
        var reader = JSONReader(.bytes(body), isLenient: true)
        let root = try reader.value()
        try reader.end()
        let (path, elements) =
            switch root {
            case .array(let elements): ("", elements)
            case .object(let members) where members["samples"]?.elements != nil:
                ("samples", members["samples"]?.elements ?? [])
            default: ("body", [root])
            }
        guard elements.count <= maximumSamples else {
            throw IngestBodyError(kind: .size, reason: "The body has more than \(maximumSamples) samples.")
        }
        return elements.enumerated().map { index, element in
            let path = path == "body" ? path : "\(path)[\(index)]"
            return element.members.map { item(path, $0.dictionary) } ?? Item(path: path, value: element)
        }
    }

    private static func form(_ body: [UInt8]) -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? String($0)
            }
            if parts.count == 2 { found[parts[0]] = .string(parts[1]) }
        }
        return found
    }

    /// Reads the text fields of a multipart body.
    private static func multipart(_ body: [UInt8], media: String) throws -> [String: JSONValue] {
        let given = media.range(of: "boundary=").map { media[$0.upperBound...].prefix { $0 != ";" } } ?? ""
        let length = given.hasPrefix("\"") ? given.count - 2 : given.count
        guard length > 0 else { throw IngestBodyError(kind: .form, reason: "The form has no boundary.") }
        // The boundary is looked up in the body, because the media type was lowered.
        let text = String(decoding: body, as: UTF8.self)
        let boundary = text.drop { $0 == "\r\n" || $0 == "\n" }.dropFirst(2).prefix(length)
        var found: [String: JSONValue] = [:]
        for part in text.components(separatedBy: "--" + boundary) {
            guard let blank = part.range(of: "\r\n\r\n"), let name = part[..<blank.lowerBound].range(of: "name=\"")
            else { continue }
            let key = part[name.upperBound...].prefix { $0 != "\"" }
            var value = part[blank.upperBound...]
            if value.hasSuffix("\r\n") { value = value.dropLast() }
            found[String(key)] = .string(String(value))
        }
        return found
    }

    // MARK: Samples

    /// Saves samples.
    ///
    /// - Parameter unread: Receives the entries that are not understood.
    /// - Throws: ``IngestEntryError`` if nothing was understood; the engine’s errors.
    package func ingest(_ items: [Item], into writer: IngestWriter, unread: UnreadEntries) throws {
        var entries: [IngestEntry] = []
        for item in items {
            var isKept = false
            for result in self.entries(item.value) {
                switch result {
                case .success(let entry): entries.append(entry)
                case .failure(let misfit):
                    let name = item.value["type"]?.text.map { String($0.prefix(100)) }
                    writer.tally.add(.init(path: item.path, name: name, reason: misfit.reason))
                    // The object has all of its rows.
                    if !isKept { unread(item.value, item.path, name, nil) }
                    isKept = true
                }
            }
        }
        if entries.isEmpty, let problem = writer.tally.problemOrder.first {
            // One sample with a mistake is the usual case, and a shortcut shows only the status.
            throw IngestEntryError("\(problem.path): \(problem.reason)")
        }
        try writer.write(entries)
    }

    /// Translates one posted object, which can be a list of samples of one type.
    func entries(_ value: JSONValue) -> [Result<IngestEntry, IngestEntryError>] {
        do throws(IngestEntryError) {
            guard let members = value.members?.dictionary else { throw .noObject }
            guard members.count <= Self.maximumMembers else {
                throw IngestEntryError("The object has too many members.")
            }
            guard let name = value["type"]?.text else { throw IngestEntryError("“type” is missing.") }
            guard let type = Self.type(name) else { throw IngestEntryError("“type” is not a data type.") }
            var found: [Result<IngestEntry, IngestEntryError>] = []
            for row in try rows(value) {
                do throws(IngestEntryError) {
                    for entry in try entries(row, of: type, name: name, defaults: value) {
                        found.append(.success(entry))
                    }
                } catch {
                    found.append(.failure(error))
                }
            }
            return found
        } catch {
            return [.failure(error)]
        }
    }

    /// A data type by its identifier, its short name, or its name in the Health app.
    static func type(_ name: String) -> TypeDescription? {
        if let type = TypeCatalog.description(for: name) { return type }
        return TypeCatalog.all.first {
            ($0.kind.isPaged || $0.shortName == "bloodPressure") && $0.shortName.lowercased() == name.lowercased()
        } ?? AutoExportNames.type(ofMetric: name)
    }

    private typealias Row = (value: JSONValue?, start: JSONValue?, end: JSONValue?)

    private func rows(_ value: JSONValue) throws(IngestEntryError) -> [Row] {
        let values = Self.list(value[first: "value", "values", "qty"])
        let starts = Self.list(value[first: "start", "startDate", "date", "dates", "starts"])
        let ends = Self.list(value[first: "end", "endDate", "ends"])
        let count = max(values.count, starts.count, ends.count, 1)
        guard count <= Self.maximumSamples else { throw IngestEntryError("The list is too long.") }
        guard values.count == count || values.count <= 1 && count == 1,
            starts.count == count || starts.isEmpty && count == 1, ends.count == count || ends.isEmpty
        else { throw IngestEntryError("The lists of values and dates have different lengths.") }
        return (0..<count).map { index in
            (
                value: index < values.count ? values[index] : nil, start: index < starts.count ? starts[index] : nil,
                end: index < ends.count ? ends[index] : nil
            )
        }
    }

    /// The elements of an array, or the lines of a text.
    private static func list(_ value: JSONValue?) -> [JSONValue] {
        switch value {
        case nil: []
        case .array(let elements): elements
        case .string(let text): text.split(whereSeparator: \.isNewline).map { .string(String($0)) }
        case .some(let single): [single]
        }
    }

    private func entries(
        _ row: Row, of type: TypeDescription, name: String, defaults: JSONValue
    ) throws(IngestEntryError) -> [IngestEntry] {
        // At most ``maximumMembers``, for each row.
        var members = defaults.members?.dictionary ?? [:]
        for key in [
            "value", "values", "qty", "start", "startDate", "starts", "date", "dates", "end", "endDate", "ends",
        ] {
            members[key] = nil
        }
        let now = now
        func date(_ text: JSONValue?) throws(IngestEntryError) -> JSONValue? {
            guard let text else { return nil }
            guard dates.date(text) != nil else {
                throw IngestEntryError("A date is not in ISO 8601. Use a form like 2026-02-06T14:30:00+01:00.")
            }
            return text
        }
        let start = try date(row.start) ?? .string(LocalClock(timeZone: .gmt).text(now.rounded(.down)))
        let end = try date(row.end)
        members["start"] = start
        members["date"] = start
        members["end"] = end ?? (type.kind == .category ? start : nil)
        var unit = defaults[first: "unit", "units"]?.text
        members["unit"] = nil
        members["units"] = nil
        switch type.kind {
        case .quantity:
            let (number, suffix) = try Self.number(row.value)
            unit = unit ?? suffix
            guard unit != nil || type.canonicalUnit == "count" else { throw IngestEntryError("“unit” is missing.") }
            members["qty"] = .number(number)
        case .category:
            members["startDate"] = start
            members["endDate"] = members["end"]
            if let value = row.value {
                guard let raw = value.number.flatMap({ Int(exactly: $0) }) else {
                    members["value"] = value
                    break
                }
                guard type.categoryValues?.contains(raw) ?? true else {
                    throw IngestEntryError("“value” has an unknown value.")
                }
                members["value"] = ValueNames.name(of: raw, of: type).map { .string($0) }
            }
        default:
            guard type.shortName == "bloodPressure" else {
                throw IngestEntryError("“type” is not a quantity or category type.")
            }
        }
        let metric = AutoExportMetric(type: type, unit: unit, header: .some(.none), dates: dates)
        let entries = try metric.entries(.object(JSONMembers(members)))
        for entry in entries { try entry.validate() }
        return entries
    }

    /// A number, and the unit after it, as in “72 count/min”.
    private static func number(_ value: JSONValue?) throws(IngestEntryError) -> (Double, String?) {
        if let number = value?.number { return (number, nil) }
        guard let text = value?.text, let end = text.firstIndex(where: { !"+-.,0123456789".contains($0) }),
            let number = JSONValue.string(String(text[..<end])).number
        else { throw IngestEntryError("“value” is missing or not a number.") }
        return (number, JSONValue.string(String(text[end...])).text)
    }
}
