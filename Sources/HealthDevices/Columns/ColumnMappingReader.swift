import Foundation
import HealthFiles
import HealthFormats
import HealthJSON
import HealthModel

/// Reads a column mapping from JSON. Every error names the member and what is required.
struct ColumnMappingReader {
    /// The value of the member `format`, by which a mapping is recognized among other files.
    static let format = "OpenHealthKit columns"
    /// A larger file isn't a mapping.
    static let maximumSize = 1 << 20

    /// - Throws: ``ColumnMappingError``.
    static func read(_ bytes: [UInt8]) throws -> ColumnMapping { try ColumnMappingReader().mapping(json(bytes)) }

    /// The mappings of an array.
    static func readAll(_ text: String) throws -> [ColumnMapping] {
        try (json(Array(text.utf8)).elements ?? []).map { try ColumnMappingReader().mapping($0) }
    }

    /// Whether a JSON file says that it is a mapping.
    static func isMapping(_ bytes: [UInt8]) -> Bool {
        bytes.count <= maximumSize && (try? json(bytes))?["format"]?.text == format
    }

    private static func json(_ bytes: [UInt8]) throws -> JSONValue {
        do {
            return try bytes.withUnsafeBufferPointer { try JSONReader.scan($0) { try $0.value() } }
        } catch let error as JSONSyntaxError {
            throw ColumnMappingError("it is not JSON: \(error.description)")
        }
    }

    private func mapping(_ json: JSONValue) throws -> ColumnMapping {
        let members = try MappingMembers(json, "the mapping")
        var mapping = ColumnMapping()
        if let format = try members.text("format"), format != Self.format {
            throw ColumnMappingError("“format” must be “\(Self.format)”")
        }
        if let name = try members.text("source") {
            mapping.source = SourceRecord(
                bundleIdentifier: try members.text("identifier") ?? "csv.\(name.lowercased())", name: name)
        }
        if let device = try members.members("device") {
            var record = DeviceRecord()
            for (name, property) in Self.deviceProperties {
                switch try text(device, name) {
                case .constant(let text): record[keyPath: property] = text
                case .column(let column): mapping.deviceColumns.append((property, column))
                case nil: break
                }
            }
            mapping.device = record
            try device.end()
        }
        mapping.files = try members.texts("files")
        mapping.elements = try members.texts("elements")
        mapping.outside = Set(try members.texts("outside").map { $0.lowercased() })
        if let separator = try members.string("separator") {
            guard separator.utf8.count == 1, let byte = separator.utf8.first, byte < 0x80 else {
                throw ColumnMappingError("“separator” must be one ASCII character, such as “;”")
            }
            mapping.separator = byte
        }
        if let decimal = try members.text("decimal") {
            guard [".", ",", "either"].contains(decimal) else {
                throw ColumnMappingError("“decimal” must be “.” or “,”, or “either” where nothing groups thousands")
            }
            mapping.decimal = decimal == "either" ? ColumnMapping.eitherDecimal : Character(decimal)
        }
        if let line = try members.number("header") {
            guard let number = Int(exactly: line), (0...1_000).contains(number) else {
                throw ColumnMappingError("“header” must be the number of a line, or 0 for a file without one")
            }
            mapping.headerLine = number
        }
        mapping.required = try members.elements("requires").map {
            .init(names: try MappingMembers.texts($0, "requires"))
        }
        mapping.rows = try members.string("rows").map { $0.split(separator: ".").map(String.init) }
        (mapping.cell, mapping.devices) = (try column(members, "cell"), try column(members, "devices"))
        mapping.conditions = try conditions(members)
        if let mirror = try members.members("mirror") {
            mapping.mirror = try conditions(mirror)
            try mirror.end()
        }
        mapping.start = try time(members, "time")
        mapping.end = try time(members, "end")
        mapping.duration = try duration(members)
        for (place, element) in try members.elements("samples").enumerated() {
            mapping.samples.append(try sample(element, "samples[\(place)]", mapping))
        }
        for (title, columns) in try members.members("leftOut")?.all() ?? [] {
            mapping.rest.append(
                .init(
                    title: title,
                    columns: try MappingMembers.texts(columns, "leftOut.\(title)").map { .init(names: [$0]) }))
        }
        try members.end()
        guard !mapping.samples.isEmpty || !mapping.rest.isEmpty else {
            throw ColumnMappingError("“samples” must have at least one element")
        }
        return mapping
    }

    private static let deviceProperties: [(String, any WritableKeyPath<DeviceRecord, String?> & Sendable)] = [
        ("name", \.name), ("manufacturer", \.manufacturer), ("model", \.model), ("version", \.softwareVersion),
        ("serial", \.localIdentifier),
    ]

    // MARK: - Samples

    private func sample(_ json: JSONValue, _ place: String, _ mapping: ColumnMapping) throws -> ColumnMapping.Sample {
        let members = try MappingMembers(json, place)
        guard let name = try members.text("type") else { throw members.missing("type", "a type, such as “bodyMass”") }
        var sample = ColumnMapping.Sample(kind: try kind(name, members), place: place)
        sample.conditions = try conditions(members)
        sample.start = try time(members, "time")
        sample.end = try time(members, "end")
        sample.duration = try duration(members)
        sample.isTotal = try members.flag("total") ?? false
        sample.isSummary = try members.flag("summary") ?? false
        sample.isDaily = try members.flag("daily") ?? false
        sample.source = try members.text("source").map {
            SourceRecord(bundleIdentifier: "\(mapping.source.bundleIdentifier).\($0.lowercased())", name: $0)
        }
        for (key, value) in try members.members("metadata")?.all() ?? [] {
            let entry: MetadataValue? =
                switch value {
                case .bool(let flag): .bool(flag)
                case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .double(number)
                case .string(let text): .string(text)
                default: nil
                }
            guard let entry else {
                throw ColumnMappingError("“\(place).metadata.\(key)” must be a text, number or flag")
            }
            sample.metadata.entries.append(.init(key: key, value: entry))
        }
        try members.end()
        guard sample.start ?? mapping.start != nil else { throw members.missing("time", "a column with the time") }
        return sample
    }

    private func kind(_ name: String, _ members: MappingMembers) throws -> ColumnMapping.Kind {
        let search = TypeSearch(name, in: StoreDictionaries())
        guard let type = search.found else {
            let similar = search.suggestions.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
            throw ColumnMappingError(
                "“\(members.place).type” is not a type of HealthKit\(similar.isEmpty ? "" : "; similar ones are \(similar)")"
            )
        }
        switch type.kind {
        case .quantity:
            let own = UnitRegion.unitEverywhere(of: type.identifier) ?? type.canonicalUnit ?? "count"
            let value = try checked(figure(members), "\(members.place).unit", own, type)
            return .quantity(type, value)
        case .category: return try category(type, members)
        case .correlation where type.shortName == "bloodPressure":
            guard let systolic = try number(members, "systolic"), let diastolic = try number(members, "diastolic")
            else {
                throw members.missing("systolic” and “diastolic", "a column each")
            }
            return .bloodPressure(
                systolic: try checked(systolic, "\(members.place).systolic.unit", "mmHg"),
                diastolic: try checked(diastolic, "\(members.place).diastolic.unit", "mmHg"))
        case .correlation where type.shortName == "food":
            guard let nutrients = try members.members("nutrients") else {
                throw members.missing("nutrients", "columns by types, such as “dietaryProtein”")
            }
            return .food(name: try text(members, "name"), try nutrients.all().map { try nutrient($0, nutrients) })
        case .workout: return .workout(try workout(members))
        default:
            throw ColumnMappingError(
                "“\(members.place).type” must be a quantity, a category, bloodPressure, food or workout, which \(type.shortName) isn't"
            )
        }
    }

    private func nutrient(
        _ entry: (name: String, value: JSONValue), _ nutrients: MappingMembers
    ) throws -> ColumnMapping.Nutrient {
        guard let type = TypeSearch(entry.name, in: StoreDictionaries()).found, type.kind == .quantity,
            let amount = try number(nutrients, entry.name)
        else {
            throw ColumnMappingError("“\(nutrients.place).\(entry.name)” must be a nutrient, such as “dietaryProtein”")
        }
        return .init(
            type: type,
            amount: try checked(amount, "\(nutrients.place).\(entry.name).unit", type.canonicalUnit ?? "g", type))
    }

    private func category(_ type: TypeDescription, _ members: MappingMembers) throws -> ColumnMapping.Kind {
        let names = Dictionary(
            ValueNames.all(of: type).map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        func raw(_ value: JSONValue, _ member: String) throws -> Int {
            let number = value.number.flatMap { Int(exactly: $0) } ?? value.text.flatMap { names[$0.lowercased()] }
            guard let number, type.categoryValues?.contains(number) ?? true else {
                throw ColumnMappingError(
                    "“\(members.place).\(member)” must be one of: \(names.keys.sorted().joined(separator: ", "))")
            }
            return number
        }
        var values = names
        if let given = try members.members("values") {
            values = [:]
            for (text, value) in try given.all() { values[text.lowercased()] = try raw(value, "values.\(text)") }
        }
        if let constant = members["value"] {
            return .category(type, .constant("\(try raw(constant, "value"))"), [:])
        }
        if let column = try self.column(members, "column") { return .category(type, .column(column), values) }
        // What has no values just is, such as a mindful session.
        guard type.categoryValues == 0...0 else { throw members.missing("column", "a column, or “value”") }
        return .category(type, .constant("0"), [:])
    }

    private func workout(_ members: MappingMembers) throws -> ColumnMapping.Workout {
        guard let activity = try text(members, "activity") else {
            throw members.missing("activity", "an activity or a column with it")
        }
        var workout = ColumnMapping.Workout(activity: activity)
        for (text, value) in try members.members("activities")?.all() ?? [] {
            guard let name = value.text else {
                throw ColumnMappingError("“\(members.place).activities.\(text)” must be a text")
            }
            workout.names[text.lowercased()] = name
        }
        for figure in ActivityTotals.Figure.allCases {
            let member = figure == .duration ? "activeTime" : figure.rawValue
            guard let value = try number(members, member) else { continue }
            workout.totals[figure] = try checked(value, "\(members.place).\(member).unit", figure.unit)
        }
        return workout
    }

    // MARK: - Parts

    /// The number of a sample whose members are those of the sample itself.
    private func figure(_ members: MappingMembers) throws -> ColumnMapping.Number {
        let constant = try members.number("value").map { ColumnMapping.Text.constant("\($0)") }
        guard let text = try constant ?? column(members, "column").map({ .column($0) }) else {
            throw members.missing("column", "a column, or “value”")
        }
        return ColumnMapping.Number(
            text: text, unit: try self.text(members, "unit"), factor: try members.number("factor") ?? 1,
            divisor: try column(members, "divideBy"), multiplier: try column(members, "multiplyBy"))
    }

    private func number(_ members: MappingMembers, _ name: String) throws -> ColumnMapping.Number? {
        guard let json = members[name] else { return nil }
        switch json {
        case .string(let text): return ColumnMapping.Number(text: .column(.init(names: [text])))
        case .number(let number): return ColumnMapping.Number(text: .constant("\(number)"))
        default:
            let inner = try MappingMembers(json, "\(members.place).\(name)")
            let number = try self.figure(inner)
            try inner.end()
            return number
        }
    }

    private func time(_ members: MappingMembers, _ name: String) throws -> ColumnMapping.Time? {
        guard let json = members[name] else { return nil }
        if let text = json.text { return .init(columns: [.init(names: [text])], formats: [.iso]) }
        let inner = try MappingMembers(json, "\(members.place).\(name)")
        let joined = try inner.texts("columns").map { ColumnMapping.Column(names: [$0]) }
        guard let columns = try joined.isEmpty ? self.column(inner, "column").map({ [$0] }) : joined else {
            throw inner.missing("column", "a column")
        }
        var formats: [ColumnTimeFormat] = []
        for text in try inner.texts("format") {
            guard let format = ColumnTimeFormat(text) else {
                throw ColumnMappingError(
                    "“\(inner.place).format” must be a pattern such as “dd.MM.yyyy HH:mm”, or one of iso8601, day, seconds, milliseconds, spreadsheet, written"
                )
            }
            formats.append(format)
        }
        let zone = try text(inner, "zone")
        if case .constant(let text) = zone, TimeZoneParser.zone(text) == nil {
            throw ColumnMappingError("“\(inner.place).zone” must be a time zone such as “Europe/Berlin” or “UTC”")
        }
        try inner.end()
        return .init(columns: columns, formats: formats.isEmpty ? [.iso] : formats, zone: zone)
    }

    /// The texts that columns must have, or must not have: by the names of the columns, or with a column that has several.
    private func conditions(_ members: MappingMembers) throws -> [ColumnMapping.Condition] {
        var conditions: [ColumnMapping.Condition] = []
        for (member, isNegated) in [("where", false), ("except", true)] {
            func add(_ column: ColumnMapping.Column, _ texts: [String]) {
                conditions.append(
                    .init(column: column, texts: Set(texts.map { $0.lowercased() }), isNegated: isNegated))
            }
            guard let json = members[member] else { continue }
            let place = "\(members.place).\(member)"
            if let elements = json.elements {
                for element in elements {
                    let inner = try MappingMembers(element, place)
                    guard let column = try self.column(inner, "column") else {
                        throw inner.missing("column", "a column")
                    }
                    add(column, try inner.texts("is"))
                    try inner.end()
                }
            } else {
                for (name, texts) in try MappingMembers(json, place).all() {
                    add(.init(names: [name]), try MappingMembers.texts(texts, "\(place).\(name)"))
                }
            }
        }
        return conditions
    }

    /// A text in every row, or `{"column": …}`.
    private func text(_ members: MappingMembers, _ name: String) throws -> ColumnMapping.Text? {
        guard let json = members[name] else { return nil }
        if let text = json.text { return .constant(text) }
        let inner = try MappingMembers(json, "\(members.place).\(name)")
        guard let column = try self.column(inner, "column") else { throw inner.missing("column", "a column") }
        try inner.end()
        return .column(column)
    }

    private func column(_ members: MappingMembers, _ name: String) throws -> ColumnMapping.Column? {
        guard let json = members[name] else { return nil }
        var column = ColumnMapping.Column()
        if case .number(let number) = json {
            guard let place = Int(exactly: number), place > 0 else {
                throw ColumnMappingError("“\(members.place).\(name)” must be a name, or a number from 1")
            }
            column.number = place
        } else {
            column.names = try MappingMembers.texts(json, "\(members.place).\(name)")
        }
        if name == "column" {
            column.member = try members.text("member")
            column.part = try members.number("part").flatMap { Int(exactly: $0) }
        }
        return column
    }

    /// The number with HealthKit's own string for its unit.
    private func checked(
        _ number: ColumnMapping.Number, _ place: String, _ canonical: String, _ type: TypeDescription? = nil
    ) throws -> ColumnMapping.Number {
        guard case .constant(let text) = number.unit else { return number }
        guard let unit = ColumnUnit.string(text, like: canonical, of: type) else {
            throw ColumnMappingError("“\(place)” must be a unit of this type, such as “\(canonical)”")
        }
        var number = number
        number.unit = .constant(unit)
        return number
    }

    /// A length of time, whose unit is the second unless it has one.
    private func duration(_ members: MappingMembers) throws -> ColumnMapping.Number? {
        try number(members, "duration").map { try checked($0, "\(members.place).duration.unit", "s") }
    }
}

/// Units of a mapping and of the cells of a table.
enum ColumnUnit {
    /// HealthKit's string for a unit as people write it; `nil` if it isn't one for these quantities.
    static func string(_ text: String, like canonical: String, of type: TypeDescription? = nil) -> String? {
        guard let unit = try? UnitExpression(words: text, of: type),
            let usual = try? UnitExpression(parsing: canonical), unit.isCompatible(with: usual)
        else { return nil }
        return unit.string
    }
}
