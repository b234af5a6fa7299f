import Foundation

/// The field names of a vision prescription.
public enum VisionPrescriptionDocument {
    /// The raw value of the prescription type: ``glasses`` or ``contacts``.
    public static let type = "prescriptionType"
    /// The expiration date; missing if there is none.
    public static let expiration = "expirationDate"
    /// The lens of the right eye, a ``LensDocument`` record.
    public static let rightEye = "rightEye"
    /// The lens of the left eye, a ``LensDocument`` record.
    public static let leftEye = "leftEye"
    /// The brand of contacts.
    public static let brand = "brand"

    /// The raw value of a prescription for glasses.
    public static let glasses: Int64 = 1
    /// The raw value of a prescription for contacts.
    public static let contacts: Int64 = 2
}

/// The field names of a lens. All fields except the prism are quantities.
public enum LensDocument {
    /// The power of the lens in diopters; required.
    public static let sphere = "sphere"
    /// The cylinder power in diopters.
    public static let cylinder = "cylinder"
    /// The axis of the cylinder in degrees.
    public static let axis = "axis"
    /// The additional power for near vision in diopters.
    public static let addPower = "addPower"

    /// Glasses only: the distance from the lens to the eye.
    public static let vertexDistance = "vertexDistance"
    /// Glasses only: the prism, a ``PrismDocument`` record.
    public static let prism = "prism"
    /// Glasses only: the distance from the nose to the pupil in far vision.
    public static let farPupillaryDistance = "farPupillaryDistance"
    /// Glasses only: the distance from the nose to the pupil in near vision.
    public static let nearPupillaryDistance = "nearPupillaryDistance"

    /// Contacts only: the radius of the back of the lens.
    public static let baseCurve = "baseCurve"
    /// Contacts only: the diameter of the lens.
    public static let diameter = "diameter"
}

/// The field names of a lens's prism.
public enum PrismDocument {
    /// The strength, a quantity in prism diopters.
    public static let amount = "amount"
    /// The direction of the base, a quantity of angle.
    public static let angle = "angle"
    /// The vertical component, a quantity in prism diopters.
    public static let verticalAmount = "verticalAmount"
    /// The ``PrismParts/Base`` raw value of the vertical component.
    public static let verticalBase = "verticalBase"
    /// The horizontal component, a quantity in prism diopters.
    public static let horizontalAmount = "horizontalAmount"
    /// The ``PrismParts/Base`` raw value of the horizontal component.
    public static let horizontalBase = "horizontalBase"
    /// The raw value of the eye: ``left`` or ``right``.
    public static let eye = "eye"

    /// The raw value of the left eye.
    public static let left: Int64 = 1
    /// The raw value of the right eye.
    public static let right: Int64 = 2
    /// The unit of the two components.
    public static let unit = "pD"

    /// Creates the record of a prism from both its polar and its rectangular form.
    public static func record(
        _ parts: PrismParts, amount: QuantityRecord, angle: QuantityRecord, isRightEye: Bool
    ) -> FieldValue {
        .record([
            Self.amount: .quantity(amount), Self.angle: .quantity(angle),
            verticalAmount: .quantity(QuantityRecord(parts.vertical, unit: unit)),
            verticalBase: .integer(Int64(parts.verticalBase.rawValue)),
            horizontalAmount: .quantity(QuantityRecord(parts.horizontal, unit: unit)),
            horizontalBase: .integer(Int64(parts.horizontalBase.rawValue)), eye: .integer(isRightEye ? right : left),
        ])
    }
}

/// The vertical and horizontal components of a prism, in prism diopters.
public struct PrismParts: Hashable, Sendable {
    /// The direction of a component's base. Raw values match the original.
    public enum Base: Int, Hashable, Sendable {
        /// The component is zero.
        case none = 0
        /// Up.
        case up = 1
        /// Down.
        case down = 2
        /// Towards the nose.
        case inward = 3
        /// Away from the nose.
        case outward = 4
    }

    /// The vertical component.
    public var vertical: Double
    /// ``Base/up``, ``Base/down`` or ``Base/none``.
    public var verticalBase: Base
    /// The horizontal component.
    public var horizontal: Double
    /// ``Base/inward``, ``Base/outward`` or ``Base/none``.
    public var horizontalBase: Base

    /// Creates a prism from its components without checking them.
    public init(vertical: Double, verticalBase: Base, horizontal: Double, horizontalBase: Base) {
        self.vertical = vertical
        self.verticalBase = verticalBase
        self.horizontal = horizontal
        self.horizontalBase = horizontalBase
    }

    /// Converts from a strength and a direction in degrees. Components that differ from 0 by rounding error are 0.
    public init(amount: Double, degrees: Double, isRightEye: Bool) {
        let radians = degrees * .pi / 180
        let (up, right) = (amount * sin(radians), amount * cos(radians))
        let negligible = abs(amount) * 1e-12
        vertical = abs(up) <= negligible ? 0 : abs(up)
        verticalBase = vertical == 0 ? .none : up > 0 ? .up : .down
        horizontal = abs(right) <= negligible ? 0 : abs(right)
        // Seen from the front, the nose is to the right of the right eye and to the left of the left eye.
        let isInward = (right > 0) == isRightEye
        horizontalBase = horizontal == 0 ? .none : isInward ? .inward : .outward
    }

    /// The strength, and the direction of the base in degrees from 0 up to 360.
    public func polar(isRightEye: Bool) -> (amount: Double, degrees: Double) {
        let up = verticalBase == .down ? -vertical : vertical
        let isRightward = (horizontalBase == .inward) == isRightEye
        let right = isRightward ? horizontal : -horizontal
        guard up != 0 || right != 0 else { return (0, 0) }
        let degrees = atan2(up, right) * 180 / .pi
        return (hypot(up, right), degrees < 0 ? degrees + 360 : degrees)
    }
}
