import HealthFiles
import HealthModel

extension ArchiveParser {
    /// Converts a record's attributes.
    mutating func interpret(_ element: SampleElement) -> RecordOutcome {
        let base = UnsafePointer(window.base)
        let fields = element.fields
        guard fields.type.exists, fields.type.count > 0 else {
            return .invalid(type: "Record", reason: "it has no type")
        }
        let name = types.name(fields.type.bytes(in: base))
        func invalid(_ reason: String, _ identifier: String) -> RecordOutcome {
            .invalid(type: identifier, reason: reason)
        }
        guard !types.isTooMany(name) else {
            return invalid("it is of one of more than \(TypeTable.maximumOthers) unknown types", "unknown types")
        }
        guard fields.startDate.exists else { return invalid("it has no startDate", types.identifier(name)) }
        guard fields.endDate.exists else { return invalid("it has no endDate", types.identifier(name)) }
        let start = Self.instant(base, fields.startDate, &dates)
        guard !start.isNaN else { return invalid("its startDate is not a date", types.identifier(name)) }
        let end = Self.instant(base, fields.endDate, &dates)
        guard !end.isNaN else { return invalid("its endDate is not a date", types.identifier(name)) }
        guard start <= end else { return invalid("it ends before it starts", types.identifier(name)) }
        var creation = Double.nan
        if fields.creationDate.exists {
            creation = Self.instant(base, fields.creationDate, &creationDates)
            guard !creation.isNaN else { return invalid("its creationDate is not a date", types.identifier(name)) }
        }
        let type: Int
        var unit: UInt32 = 0
        let value: Double
        var figures: RecordFigures?
        if let index = types.sampleType(name, hasUnit: fields.unit.exists) {
            type = index
            let isKnown = types[index].code < .firstUnknown
            if types[index].kind == .quantity, !fields.others.isEmpty {
                figures = RecordFigures(
                    element.entries, isCumulative: types[index].description.aggregationStyle?.isCumulative == true)
            }
            switch types[index].kind == .quantity
                ? quantityValue(fields, figures, type: index) : categoryValue(fields, type: index)
            {
            case .value(let number, let unitNumber):
                value = number
                unit = unitNumber
            case .preserved(let reason):
                // A category outside the catalog may have any value.
                let isNoted = isKnown || types[index].kind == .quantity
                return .document(identifier: types.identifier(name), reason: isNoted ? reason : nil)
            case .invalid(let reason):
                // The values of an unknown type may have any form.
                return isKnown ? invalid(reason, types.identifier(name)) : .document(identifier: types.identifier(name))
            case .kept(let reason):
                return isKnown
                    ? .kept(type: types.identifier(name), reason: reason)
                    : .document(identifier: types.identifier(name))
            }
        } else {
            return .document(identifier: types.identifier(name))
        }
        var entries = element.entries + (figures?.series ?? [])
        if types[type].kind == .category, fields.unit.exists {
            entries.append(ArchivedMetadata.attribute("unit", AttributeText.decode(fields.unit.bytes(in: base))))
        }
        let origin = dictionaryTable.origin(
            base, name: fields.sourceName, version: fields.sourceVersion, device: fields.device)
        return .sample(
            ParsedSample(
                type: type, start: start, end: end, value: value, unit: unit, revision: origin.revision,
                device: origin.device, creation: creation, metadata: Metadata(entries)))
    }

    /// The instant of a date attribute; NaN if it is not a date.
    static func instant(
        _ base: UnsafePointer<UInt8>, _ range: ByteRange, _ cursor: inout DateCursor
    ) -> Double {
        if range.count == DateCursor.length {
            let instant = cursor.parse(base + range.start)
            if !instant.isNaN { return instant }
        }
        // Entities and line breaks are rare in dates.
        return ArchiveDate.parse(range.bytes(in: base)) ?? ArchiveDate.parse(
            AttributeText.decode(range.bytes(in: base))) ?? .nan
    }

    private enum Value {
        case value(Double, unit: UInt32)
        /// There is no such value (yet); the record is kept as it is.
        case preserved(String)
        case invalid(String)
        /// Invalid, but kept as it is.
        case kept(String)
    }

    private mutating func quantityValue(_ fields: RecordFields, _ figures: RecordFigures?, type: Int) -> Value {
        let number: Double?
        if fields.value.exists {
            let bytes = fields.value.bytes(in: window.base)
            number = DecimalText.parse(bytes) ?? DecimalText.parse(AttributeText.decode(bytes))
        } else {
            guard let text = figures?.value else { return .invalid("it has no value") }
            number = DecimalText.parse(text)
        }
        guard let value = number else { return .invalid("its value is not a number") }
        guard value.isFinite else { return .preserved("with a value that is not finite") }
        let unit: UInt32
        if fields.unit.exists {
            unit = dictionaryTable.unit(fields.unit.bytes(in: window.base))
        } else if types[type].description.canonicalUnit == "count" {
            // Only for a count is the unit certain.
            unit = dictionaryTable.unit("count")
        } else {
            return .invalid("it has no unit")
        }
        let string = dictionaryTable.dictionaries.unit(unit)
        guard unit > 0, types.fits(unit: unit, string: string, type: type) else {
            return .kept("its unit does not fit its type")
        }
        return .value(value, unit: unit)
    }

    private mutating func categoryValue(_ fields: RecordFields, type: Int) -> Value {
        let description = types[type].description
        guard fields.value.exists else {
            return description.categoryValues == 0...0 ? .value(0, unit: 0) : .invalid("it has no value")
        }
        let text = AttributeText.decode(fields.value.bytes(in: window.base))
        guard let allowed = description.categoryValues, let enumeration = description.categoryEnumeration else {
            guard let value = Int(text) ?? CategoryValueNames.rawValue(of: text) else {
                return .preserved(Self.unknownValue)
            }
            return .value(Double(value), unit: 0)
        }
        if let value = Int(text) {
            return allowed.contains(value) ? .value(Double(value), unit: 0) : .preserved(Self.unknownValue)
        }
        guard let value = CategoryValueNames.rawValue(of: text, in: enumeration) else {
            return .preserved(Self.unknownValue)
        }
        return .value(Double(value), unit: 0)
    }

    private static let unknownValue = "with an unknown value"
}
