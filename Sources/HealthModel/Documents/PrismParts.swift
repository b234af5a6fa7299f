import Foundation

/// A prism as two parts at right angles, in prism dioptres.
public struct PrismParts: Hashable, Sendable {
    /// Where the base of a part lies; raw values as the original's.
    public enum Base: Int, Hashable, Sendable {
        /// There is no such part.
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

    /// The part up or down.
    public var vertical: Double
    /// ``Base/up``, ``Base/down`` or none.
    public var verticalBase: Base
    /// The part in or out.
    public var horizontal: Double
    /// ``Base/inward``, ``Base/outward`` or none.
    public var horizontalBase: Base

    /// Given parts; nothing is checked.
    public init(vertical: Double, verticalBase: Base, horizontal: Double, horizontalBase: Base) {
        self.vertical = vertical
        self.verticalBase = verticalBase
        self.horizontal = horizontal
        self.horizontalBase = horizontalBase
    }

    /// The parts of a strength in a direction, in degrees. Parts that rounding alone keeps from 0 count as 0.
    public init(amount: Double, degrees: Double, isRightEye: Bool) {
        let radians = degrees * .pi / 180
        let (up, right) = (amount * sin(radians), amount * cos(radians))
        let negligible = abs(amount) * 1e-12
        vertical = abs(up) <= negligible ? 0 : abs(up)
        verticalBase = vertical == 0 ? .none : up > 0 ? .up : .down
        horizontal = abs(right) <= negligible ? 0 : abs(right)
        // Who faces the person has the nose on the right of the right eye, on the left of the left one.
        let isInward = (right > 0) == isRightEye
        horizontalBase = horizontal == 0 ? .none : isInward ? .inward : .outward
    }

    /// The strength and the direction of the base, from 0 up to 360 degrees.
    public func polar(isRightEye: Bool) -> (amount: Double, degrees: Double) {
        let up = verticalBase == .down ? -vertical : vertical
        let isRightward = (horizontalBase == .inward) == isRightEye
        let right = isRightward ? horizontal : -horizontal
        guard up != 0 || right != 0 else { return (0, 0) }
        let degrees = atan2(up, right) * 180 / .pi
        return (hypot(up, right), degrees < 0 ? degrees + 360 : degrees)
    }
}
