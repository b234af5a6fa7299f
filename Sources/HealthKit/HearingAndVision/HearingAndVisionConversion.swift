import Foundation
import HealthModel

// MARK: - Audiograms

extension HKAudiogramSample.Fields: DocumentFields {
    typealias SampleType = HKAudiogramSampleType

    init(_ document: DocumentBody) {
        guard case .list(let elements) = document[AudiogramDocument.points] else {
            self.init(points: [])
            return
        }
        self.init(
            points: elements.compactMap { HKAudiogramSensitivityPoint.Fields($0) }.map {
                HKAudiogramSensitivityPoint($0)
            })
    }

    var document: DocumentBody {
        DocumentBody(fields: [AudiogramDocument.points: .list(points.map(\.fields.fieldValue))])
    }

    static func isComplete(_ document: DocumentBody) -> Bool {
        guard case .list(let elements) = document[AudiogramDocument.points], !elements.isEmpty else { return false }
        return elements.allSatisfy { HKAudiogramSensitivityPoint.Fields($0) != nil }
    }
}

extension HKAudiogramSensitivityPoint {
    /// The maximum frequency, in hertz.
    static let maximumFrequency = AudiogramDocument.maximumFrequency
}

extension HKAudiogramSensitivityPoint.Fields: PartFields {
    private typealias Field = AudiogramDocument.Point

    init?(_ fieldValue: FieldValue) {
        guard let frequency = fieldValue[Field.frequency]?.quantityObject,
            case .list(let elements) = fieldValue[Field.tests],
            (try? HKAudiogramSensitivityPoint.validate(frequency: frequency, testCount: elements.count)) != nil
        else { return nil }
        let tests = elements.compactMap { HKAudiogramSensitivityTest.Fields($0) }
        guard tests.count == elements.count else { return nil }
        self.init(frequency: frequency, tests: tests.map { HKAudiogramSensitivityTest($0) })
    }

    var fieldValue: FieldValue {
        .record([
            Field.frequency: .quantity(frequency.record), Field.tests: .list(tests.map(\.fields.fieldValue)),
        ])
    }
}

extension HKAudiogramSensitivityTest {
    /// The allowed sensitivities, in decibels of hearing level.
    static let sensitivities = AudiogramDocument.sensitivities
}

extension HKAudiogramSensitivityTest.Fields: PartFields {
    private typealias Field = AudiogramDocument.Test

    init?(_ fieldValue: FieldValue) {
        guard let sensitivity = fieldValue[Field.sensitivity]?.quantityObject,
            (try? HKAudiogramSensitivityTest.validate(sensitivity: sensitivity)) != nil,
            let type = fieldValue[Field.type]?.wholeNumber.flatMap(HKAudiogramConductionType.init(rawValue:)),
            let side = fieldValue[Field.side]?.wholeNumber.flatMap(HKAudiogramSensitivityTestSide.init(rawValue:)),
            let isMasked = fieldValue[Field.masked]?.flag
        else { return nil }
        var range: HKAudiogramSensitivityPointClampingRange?
        if let value = fieldValue[Field.clampingRange] {
            guard let fields = HKAudiogramSensitivityPointClampingRange.Fields(value) else { return nil }
            range = HKAudiogramSensitivityPointClampingRange(fields)
        }
        self.init(sensitivity: sensitivity, type: type, isMasked: isMasked, side: side, clampingRange: range)
    }

    var fieldValue: FieldValue {
        .record(present: [
            Field.sensitivity: .quantity(sensitivity.record), Field.type: .integer(Int64(type.rawValue)),
            Field.masked: .bool(isMasked), Field.side: .integer(Int64(side.rawValue)),
            Field.clampingRange: clampingRange?.fields.fieldValue,
        ])
    }
}

extension HKAudiogramSensitivityPointClampingRange.Fields: PartFields {
    private typealias Field = AudiogramDocument.ClampingRange

    init?(_ fieldValue: FieldValue) {
        let (lower, upper) = (fieldValue[Field.lower], fieldValue[Field.upper])
        guard (lower == nil) == (lower?.number == nil), (upper == nil) == (upper?.number == nil),
            let valid = try? Self(lower: lower?.number, upper: upper?.number)
        else { return nil }
        self = valid
    }

    var fieldValue: FieldValue {
        .record(present: [Field.lower: lower.map { .double($0) }, Field.upper: upper.map { .double($0) }])
    }
}

// MARK: - Prescriptions

extension HKVisionPrescription {
    /// The class for the kind of prescription in a document.
    static func prescriptionClass(of document: DocumentBody) -> HKVisionPrescription.Type {
        prescriptionClass(ofType: document.integer(VisionPrescriptionDocument.type))
    }
}

extension HKVisionPrescription.Fields: DocumentFields {
    typealias SampleType = HKPrescriptionType
    private typealias Field = VisionPrescriptionDocument

    init(_ document: DocumentBody) {
        func lens(_ name: String) -> HKLensSpecification? {
            document[name].flatMap { HKLensSpecification.Fields($0) }.map { Self.lens($0, of: document) }
        }
        self.init(
            type: document.integer(Field.type),
            expiration: document[Field.expiration]?.number.map { Date(timeIntervalSinceReferenceDate: $0) },
            rightEye: lens(Field.rightEye), leftEye: lens(Field.leftEye), brand: document.text(Field.brand))
    }

    var document: DocumentBody {
        DocumentBody(present: [
            Field.type: .wholeNumber(type), Field.expiration: .date(expiration),
            Field.rightEye: rightEye?.fields.fieldValue, Field.leftEye: leftEye?.fields.fieldValue,
            Field.brand: .text(brand),
        ])
    }

    static func isComplete(_ document: DocumentBody) -> Bool {
        document.integer(Field.type) != nil
            && [Field.rightEye, Field.leftEye].allSatisfy { name in
                document[name].map { HKLensSpecification.Fields($0) != nil } ?? true
            }
    }

    private static func lens(_ fields: HKLensSpecification.Fields, of document: DocumentBody) -> HKLensSpecification {
        HKVisionPrescription.prescriptionClass(ofType: document.integer(Field.type)) == HKContactsPrescription.self
            ? HKContactsLensSpecification(fields) : HKGlassesLensSpecification(fields)
    }
}

// MARK: - Prisms

extension HKVisionPrism.Fields {
    /// The values of a prism with a strength and a direction of its base.
    ///
    /// - Throws: for an amount that is not in prism diopters and an angle that is not in degrees.
    init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) throws(InvalidObjectError) {
        let parts = PrismParts(
            amount: try VisionUnits.value(of: amount, in: .prismDiopter(), named: "amount"),
            degrees: try VisionUnits.value(of: angle, in: .degreeAngle(), named: "angle"), isRightEye: eye == .right)
        self.init(parts, amount: amount, angle: angle, eye: eye)
    }

    /// The values of a prism with two parts.
    ///
    /// - Throws: for amounts that are not in prism diopters, a base of the other direction, and an amount without a
    ///   base.
    init(
        verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
        horizontalBase: HKPrismBase, eye: HKVisionEye
    ) throws(InvalidObjectError) {
        let parts = try PrismParts(
            vertical: VisionUnits.value(of: verticalAmount, in: .prismDiopter(), named: "verticalAmount"),
            verticalBase: verticalBase,
            horizontal: VisionUnits.value(of: horizontalAmount, in: .prismDiopter(), named: "horizontalAmount"),
            horizontalBase: horizontalBase)
        let (amount, degrees) = parts.polar(isRightEye: eye == .right)
        self.init(
            parts, amount: HKQuantity(unit: .prismDiopter(), doubleValue: amount),
            angle: HKQuantity(unit: .degreeAngle(), doubleValue: degrees), eye: eye)
    }

    private init(_ parts: PrismParts, amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
        self.init(
            amount: amount, angle: angle,
            verticalAmount: HKQuantity(unit: .prismDiopter(), doubleValue: parts.vertical),
            verticalBase: HKPrismBase(rawValue: parts.verticalBase.rawValue) ?? .none,
            horizontalAmount: HKQuantity(unit: .prismDiopter(), doubleValue: parts.horizontal),
            horizontalBase: HKPrismBase(rawValue: parts.horizontalBase.rawValue) ?? .none, eye: eye)
    }
}

extension PrismParts {
    /// Creates parts with amounts and bases.
    ///
    /// - Throws: for a base of the other direction, and for an amount without a base.
    init(
        vertical: Double, verticalBase: HKPrismBase, horizontal: Double, horizontalBase: HKPrismBase
    ) throws(InvalidObjectError) {
        guard [.none, .up, .down].contains(verticalBase) else {
            throw InvalidObjectError(reason: "The vertical base of a prism must be none, up or down")
        }
        guard [.none, .in, .out].contains(horizontalBase) else {
            throw InvalidObjectError(reason: "The horizontal base of a prism must be none, in or out")
        }
        guard verticalBase != .none || vertical == 0, horizontalBase != .none || horizontal == 0 else {
            throw InvalidObjectError(reason: "A prism with an amount requires a base")
        }
        self.init(
            vertical: vertical, verticalBase: Base(rawValue: verticalBase.rawValue) ?? .none,
            horizontal: horizontal, horizontalBase: Base(rawValue: horizontalBase.rawValue) ?? .none)
    }
}

extension HKPrescriptionType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        HKVisionPrescription.prescriptionClass(of: record.document).stored(base, record)
    }
}
