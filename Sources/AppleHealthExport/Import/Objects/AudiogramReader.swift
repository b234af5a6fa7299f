import HealthFiles
import HealthModel

/// Reads an `Audiogram` element as a hearing test. The counterpart is ``AudiogramWriter``.
///
/// Points that cannot be read are kept in the metadata, like any unknown content.
enum AudiogramReader {
    /// The maximum number of tests at one frequency; further ones become another point.
    private static let maximumTestCount = 16

    static let identifier = "HKDataTypeIdentifierAudiogram"

    /// Reads an element. Throws if it lacks dates, a source, or a readable point.
    static func read(_ element: ArchivedElement) throws(ElementError) -> ObjectRecord {
        let frame = try ElementFrame(element)
        var record = ObjectRecord(
            type: TypeCatalog.description(for: identifier)!.code, start: frame.start, end: frame.end,
            revision: frame.revision, device: frame.device, creation: frame.creation)
        var points: [FieldValue] = []
        var read: [ArchivedElement] = []
        for child in element.children {
            if let entry = ElementMetadata.entry(child) {
                record.metadata.entries.append(entry)
            } else if child.name == "SensitivityPoint", let point = SensitivityPointReader.read(child) {
                if let last = points.last, let whole = joined(last, point) {
                    points[points.count - 1] = whole
                } else {
                    points.append(point)
                }
                read.append(child)
            } else {
                record.metadata.entries.append(ArchivedMetadata.child(child))
            }
        }
        guard !points.isEmpty else { throw ElementError("it has no readable sensitivity point") }
        let document = DocumentBody(fields: [AudiogramDocument.points: .list(points)])
        record.body = .document(document)
        UnknownContent.preserve(children: read, beside: AudiogramWriter.points(of: document), in: &record)
        UnknownContent.preserve(element, in: &record) { AudiogramWriter.write($0, document, $1, &$2) }
        return record
    }

    /// Joins two consecutive points at one frequency if an ear of the second was already tested in the first: an
    /// element holds one test per ear, so a point with more tests takes several elements.
    private static func joined(_ first: FieldValue, _ second: FieldValue) -> FieldValue? {
        guard case .record(var fields) = first, case .record(let more) = second,
            fields[AudiogramDocument.Point.frequency] == more[AudiogramDocument.Point.frequency],
            let tests = fields[AudiogramDocument.Point.tests]?.elements,
            let moreTests = more[AudiogramDocument.Point.tests]?.elements, let next = moreTests.first,
            tests.count < maximumTestCount, tests.contains(where: { side($0) == side(next) })
        else { return nil }
        fields[AudiogramDocument.Point.tests] = .list(tests + moreTests)
        return .record(fields)
    }

    private static func side(_ test: FieldValue) -> FieldValue? {
        if case .record(let fields) = test { fields[AudiogramDocument.Test.side] } else { nil }
    }
}

/// Reads a `SensitivityPoint` element as a record of ``AudiogramDocument/Point``.
enum SensitivityPointReader {
    /// The point; `nil` for one without a frequency or test, or with an invalid number, unit or Boolean value.
    static func read(_ element: ArchivedElement) -> FieldValue? {
        guard element.children.isEmpty,
            let frequency = ArchiveQuantity.read(element["frequencyValue"], unit: element["frequencyUnit"], in: "Hz"),
            frequency.canonical > 0, frequency.canonical <= AudiogramDocument.maximumFrequency
        else { return nil }
        var tests: [FieldValue] = []
        for (ear, side) in [("leftEar", AudiogramDocument.left), ("rightEar", AudiogramDocument.right)] {
            guard element[ear + "Value"] != nil else { continue }
            guard let test = test(element, ear, side) else { return nil }
            tests.append(test)
        }
        guard !tests.isEmpty else { return nil }
        return .record([
            AudiogramDocument.Point.frequency: .quantity(frequency.record), AudiogramDocument.Point.tests: .list(tests),
        ])
    }

    private static func test(_ element: ArchivedElement, _ ear: String, _ side: Int64) -> FieldValue? {
        guard
            let sensitivity = ArchiveQuantity.read(element[ear + "Value"], unit: element[ear + "Unit"], in: "dBHL"),
            AudiogramDocument.sensitivities.contains(sensitivity.canonical)
        else { return nil }
        var fields: [String: FieldValue] = [
            AudiogramDocument.Test.sensitivity: .quantity(sensitivity.record),
            AudiogramDocument.Test.type: .integer(AudiogramDocument.air), AudiogramDocument.Test.side: .integer(side),
            AudiogramDocument.Test.masked: .bool(false),
        ]
        if let text = element[ear + "Masked"] {
            guard let masked = boolean(text) else { return nil }
            fields[AudiogramDocument.Test.masked] = .bool(masked)
        }
        var bounds: [String: Double] = [:]
        for (name, field) in [
            ("LowerBound", AudiogramDocument.ClampingRange.lower),
            ("UpperBound", AudiogramDocument.ClampingRange.upper),
        ] {
            guard let text = element[ear + "ClampingRange" + name] else { continue }
            guard let bound = DecimalText.parse(text), bound.isFinite else { return nil }
            bounds[field] = bound
        }
        if !bounds.isEmpty {
            let lower = bounds[AudiogramDocument.ClampingRange.lower] ?? -.infinity
            guard lower < bounds[AudiogramDocument.ClampingRange.upper] ?? .infinity else { return nil }
            fields[AudiogramDocument.Test.clampingRange] = .record(bounds.mapValues { .double($0) })
        }
        return .record(fields)
    }

    /// Apple's spelling of a Boolean value in this place is unknown; in metadata it is 0 or 1.
    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }
}
