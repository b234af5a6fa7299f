import HealthModel

/// A `RightEye` or `LeftEye` element as a record of ``LensDocument``.
enum LensReader {
    /// An attribute of a lens with the field that holds it and the unit it is told in; lengths without a unit
    /// are millimetres, as opticians write them.
    struct Part {
        var attribute: String
        var field: String
        var unit: String
    }

    static let powers = [
        Part(attribute: "sphere", field: LensDocument.sphere, unit: "D"),
        Part(attribute: "cylinder", field: LensDocument.cylinder, unit: "D"),
        Part(attribute: "axis", field: LensDocument.axis, unit: "deg"),
        Part(attribute: "add", field: LensDocument.addPower, unit: "D"),
    ]
    static let vertex = Part(attribute: "vertex", field: LensDocument.vertexDistance, unit: "mm")
    static let distances = [
        Part(attribute: "farPD", field: LensDocument.farPupillaryDistance, unit: "mm"),
        Part(attribute: "nearPD", field: LensDocument.nearPupillaryDistance, unit: "mm"),
    ]
    static let contacts = [
        Part(attribute: "baseCurve", field: LensDocument.baseCurve, unit: "mm"),
        Part(attribute: "diameter", field: LensDocument.diameter, unit: "mm"),
    ]
    static let prismAmount = Part(attribute: "prismAmount", field: PrismDocument.amount, unit: PrismDocument.unit)
    static let prismAngle = Part(attribute: "prismAngle", field: PrismDocument.angle, unit: "deg")

    /// The lens; `nil` for one without a sphere, and for one with a number or unit that makes no sense.
    static func read(_ element: ArchivedElement, isContact: Bool) -> FieldValue? {
        guard element.children.isEmpty else { return nil }
        var fields: [String: FieldValue] = [:]
        for part in powers + (isContact ? contacts : [vertex] + distances) {
            guard element[part.attribute] != nil else { continue }
            guard let quantity = quantity(element, part) else { return nil }
            fields[part.field] = .quantity(quantity.record)
        }
        guard fields[LensDocument.sphere] != nil else { return nil }
        if !isContact, element[prismAmount.attribute] != nil, element[prismAngle.attribute] != nil {
            guard let amount = quantity(element, prismAmount), let angle = quantity(element, prismAngle) else { return nil }
            let isRightEye = element.name == VisionPrescriptionReader.rightEye
            let parts = PrismParts(amount: amount.canonical, degrees: angle.canonical, isRightEye: isRightEye)
            fields[LensDocument.prism] = PrismDocument.record(
                parts, amount: amount.record, angle: angle.record, isRightEye: isRightEye)
        }
        return .record(fields)
    }

    private static func quantity(
        _ element: ArchivedElement, _ part: Part
    ) -> (record: QuantityRecord, canonical: Double)? {
        QuantityText.read(element[part.attribute], unit: element[part.attribute + "Unit"], in: part.unit, without: part.unit)
    }
}
