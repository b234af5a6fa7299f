import Foundation

extension PrismDocument {
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
