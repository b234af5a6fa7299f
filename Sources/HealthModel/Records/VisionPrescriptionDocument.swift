import Foundation

/// The field names of a vision prescription.
package enum VisionPrescriptionDocument {
    /// The raw value of the prescription type: ``glasses`` or ``contacts``.
    package static let type = "prescriptionType"
    /// The expiration date; missing if there is none.
    package static let expiration = "expirationDate"
    /// The lens of the right eye, a ``LensDocument`` record.
    package static let rightEye = "rightEye"
    /// The lens of the left eye, a ``LensDocument`` record.
    package static let leftEye = "leftEye"
    /// The brand of contacts.
    package static let brand = "brand"

    /// The raw value of a prescription for glasses.
    package static let glasses: Int64 = 1
    /// The raw value of a prescription for contacts.
    package static let contacts: Int64 = 2
}

/// The field names of a lens. All fields except the prism are quantities.
package enum LensDocument {
    /// The power of the lens in diopters; required.
    package static let sphere = "sphere"
    /// The cylinder power in diopters.
    package static let cylinder = "cylinder"
    /// The axis of the cylinder in degrees.
    package static let axis = "axis"
    /// The additional power for near vision in diopters.
    package static let addPower = "addPower"

    /// Glasses only: the distance from the lens to the eye.
    package static let vertexDistance = "vertexDistance"
    /// Glasses only: the prism, a ``PrismDocument`` record.
    package static let prism = "prism"
    /// Glasses only: the distance from the nose to the pupil in far vision.
    package static let farPupillaryDistance = "farPupillaryDistance"
    /// Glasses only: the distance from the nose to the pupil in near vision.
    package static let nearPupillaryDistance = "nearPupillaryDistance"

    /// Contacts only: the radius of the back of the lens.
    package static let baseCurve = "baseCurve"
    /// Contacts only: the diameter of the lens.
    package static let diameter = "diameter"
}

/// The field names of a lens's prism.
package enum PrismDocument {
    /// The strength, a quantity in prism diopters.
    package static let amount = "amount"
    /// The direction of the base, a quantity of angle.
    package static let angle = "angle"
    /// The vertical component, a quantity in prism diopters.
    package static let verticalAmount = "verticalAmount"
    /// The ``PrismParts/Base`` raw value of the vertical component.
    package static let verticalBase = "verticalBase"
    /// The horizontal component, a quantity in prism diopters.
    package static let horizontalAmount = "horizontalAmount"
    /// The ``PrismParts/Base`` raw value of the horizontal component.
    package static let horizontalBase = "horizontalBase"
    /// The raw value of the eye: ``left`` or ``right``.
    package static let eye = "eye"

    /// The raw value of the left eye.
    package static let left: Int64 = 1
    /// The raw value of the right eye.
    package static let right: Int64 = 2
    /// The unit of the two components.
    package static let unit = "pD"

    /// Creates the record of a prism from both its polar and its rectangular form.
    package static func record(
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
package struct PrismParts: Hashable, Sendable {
    /// The direction of a component's base. Raw values match the original.
    package enum Base: Int, Hashable, Sendable {
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
    package var vertical: Double
    /// ``Base/up``, ``Base/down`` or ``Base/none``.
    package var verticalBase: Base
    /// The horizontal component.
    package var horizontal: Double
    /// ``Base/inward``, ``Base/outward`` or ``Base/none``.
    package var horizontalBase: Base

    /// Creates a prism from its components without checking them.
    package init(vertical: Double, verticalBase: Base, horizontal: Double, horizontalBase: Base) {
        self.vertical = vertical
        self.verticalBase = verticalBase
        self.horizontal = horizontal
        self.horizontalBase = horizontalBase
    }

    /// Converts from a strength and a direction in degrees. Components that differ from 0 by rounding error are 0.
    package init(amount: Double, degrees: Double, isRightEye: Bool) {
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
    package func polar(isRightEye: Bool) -> (amount: Double, degrees: Double) {
        let up = verticalBase == .down ? -vertical : vertical
        let isRightward = (horizontalBase == .inward) == isRightEye
        let right = isRightward ? horizontal : -horizontal
        guard up != 0 || right != 0 else { return (0, 0) }
        let degrees = atan2(up, right) * 180 / .pi
        return (hypot(up, right), degrees < 0 ? degrees + 360 : degrees)
    }
}
