import HealthModel

/// A lens as a `RightEye` or `LeftEye` element: the twin of ``LensReader``.
enum LensWriter {
    /// What the record holds, in the order of the document type.
    static func write(_ lens: FieldValue, named name: String) -> ArchivedElement {
        var element = ArchivedElement(name: name)
        guard case .record(let fields) = lens else { return element }
        for part in LensReader.powers + [LensReader.vertex] { add(part, of: fields, to: &element) }
        if case .record(let prism) = fields[LensDocument.prism] {
            add(LensReader.prismAmount, of: prism, to: &element)
            add(LensReader.prismAngle, of: prism, to: &element)
        }
        for part in LensReader.distances + LensReader.contacts { add(part, of: fields, to: &element) }
        return element
    }

    private static func add(_ part: LensReader.Part, of fields: [String: FieldValue], to element: inout ArchivedElement) {
        guard case .quantity(let quantity) = fields[part.field] else { return }
        element.attributes += [
            .init(name: part.attribute, value: NumberText.print(quantity.value)),
            .init(name: part.attribute + "Unit", value: quantity.unit),
        ]
    }
}
