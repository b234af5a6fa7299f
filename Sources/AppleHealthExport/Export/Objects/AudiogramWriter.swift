import HealthFiles
import HealthModel

/// Writes a hearing test as an `Audiogram` element: the counterpart of ``AudiogramReader``.
enum AudiogramWriter {
    static func write(
        _ object: ObjectRecord, _ document: DocumentBody, _ style: RecordStyle, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "Audiogram")
        element.append("type", AudiogramReader.identifier)
        element.appendFrame(of: object, style)
        element.children = ArchivedMetadata.spelled(points(of: document), in: object.metadata)
        element.append(object.metadata, &tally)
        return element
    }

    /// The points in the usual spelling.
    static func points(of document: DocumentBody) -> [ArchivedElement] {
        (document[AudiogramDocument.points]?.elements ?? []).flatMap(elements)
    }

    /// The elements of a point: one, unless an ear was tested more than once.
    private static func elements(_ point: FieldValue) -> [ArchivedElement] {
        guard case .record(let fields) = point,
            case .quantity(let frequency) = fields[AudiogramDocument.Point.frequency]
        else { return [] }
        var left: [[ArchivedElement.Attribute]] = []
        var right: [[ArchivedElement.Attribute]] = []
        for case .record(let test) in fields[AudiogramDocument.Point.tests]?.elements ?? [] {
            if test[AudiogramDocument.Test.side] == .integer(AudiogramDocument.right) {
                right.append(attributes(of: test, "rightEar"))
            } else {
                left.append(attributes(of: test, "leftEar"))
            }
        }
        return (0..<max(left.count, right.count)).map { number in
            ArchivedElement(
                name: "SensitivityPoint",
                attributes: [
                    .init(name: "frequencyValue", value: DecimalText.print(frequency.value)),
                    .init(name: "frequencyUnit", value: frequency.unit),
                ] + (number < left.count ? left[number] : []) + (number < right.count ? right[number] : []))
        }
    }

    private static func attributes(of test: [String: FieldValue], _ ear: String) -> [ArchivedElement.Attribute] {
        guard case .quantity(let sensitivity) = test[AudiogramDocument.Test.sensitivity] else { return [] }
        var attributes: [ArchivedElement.Attribute] = [
            .init(name: ear + "Value", value: DecimalText.print(sensitivity.value)),
            .init(name: ear + "Unit", value: sensitivity.unit),
        ]
        // Older archives have no attribute for masking; without it a test is unmasked.
        if test[AudiogramDocument.Test.masked] == .bool(true) {
            attributes.append(.init(name: ear + "Masked", value: "1"))
        }
        if case .record(let range) = test[AudiogramDocument.Test.clampingRange] {
            for (name, field) in [
                ("LowerBound", AudiogramDocument.ClampingRange.lower),
                ("UpperBound", AudiogramDocument.ClampingRange.upper),
            ] {
                guard let bound = range[field]?.number else { continue }
                attributes.append(.init(name: ear + "ClampingRange" + name, value: DecimalText.print(bound)))
            }
        }
        return attributes
    }
}
