import HealthModel

/// An `Audiogram` element as a hearing test. The way back is ``AudiogramWriter``.
///
/// Points that cannot be read stay among the metadata, as everything else an audiogram has no place for.
enum AudiogramReader {
    /// More readings of one frequency than any test takes: further ones are a point of their own.
    private static let greatestTestCount = 16

    static let identifier = "HKDataTypeIdentifierAudiogram"

    /// Throws for an element without its dates or source, and for one without a point that can be read.
    static func read(_ element: ArchivedElement) throws(ObjectRefusal) -> ObjectRecord {
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
        guard !points.isEmpty else { throw ObjectRefusal("it has no sensitivity point that can be read") }
        let document = DocumentBody(fields: [AudiogramDocument.points: .list(points)])
        record.body = .document(document)
        ElementRemainder.keep(children: read, beside: AudiogramWriter.points(of: document), in: &record)
        ElementRemainder.keep(element, in: &record) { AudiogramWriter.write($0, document, $1, &$2) }
        return record
    }

    /// One point of two that follow each other at one frequency, where an ear of the second was read in the
    /// first already: an element holds one reading an ear, so a point of more takes several.
    private static func joined(_ first: FieldValue, _ second: FieldValue) -> FieldValue? {
        guard case .record(var fields) = first, case .record(let more) = second,
            fields[AudiogramDocument.Point.frequency] == more[AudiogramDocument.Point.frequency],
            let tests = fields[AudiogramDocument.Point.tests]?.elements,
            let moreTests = more[AudiogramDocument.Point.tests]?.elements, let next = moreTests.first,
            tests.count < greatestTestCount,
            tests.contains(where: { side($0) == side(next) })
        else { return nil }
        fields[AudiogramDocument.Point.tests] = .list(tests + moreTests)
        return .record(fields)
    }

    private static func side(_ test: FieldValue) -> FieldValue? {
        if case .record(let fields) = test { fields[AudiogramDocument.Test.side] } else { nil }
    }
}
