import Foundation

/// A prism as two parts at right angles, in prism dioptres.
struct PrismParts: Equatable {
    var vertical: Double
    var verticalBase: HKPrismBase
    var horizontal: Double
    var horizontalBase: HKPrismBase

    /// The parts of a strength in a direction. Parts that rounding alone keeps from 0 count as 0.
    init(amount: Double, degrees: Double, eye: HKVisionEye) {
        let radians = degrees * .pi / 180
        let (up, right) = (amount * sin(radians), amount * cos(radians))
        let negligible = abs(amount) * 1e-12
        vertical = abs(up) <= negligible ? 0 : abs(up)
        verticalBase = vertical == 0 ? .none : up > 0 ? .up : .down
        horizontal = abs(right) <= negligible ? 0 : abs(right)
        // Who faces the person has the nose on the right of the right eye, on the left of the left one.
        let isInward = (right > 0) == (eye == .right)
        horizontalBase = horizontal == 0 ? .none : isInward ? .in : .out
    }

    /// Given parts.
    ///
    /// - Throws: for a base of the other direction, and for an amount without a base.
    init(
        vertical: Double, verticalBase: HKPrismBase, horizontal: Double, horizontalBase: HKPrismBase
    ) throws(ObjectRefusal) {
        guard [.none, .up, .down].contains(verticalBase) else {
            throw ObjectRefusal(reason: "The vertical base of a prism must be none, up or down")
        }
        guard [.none, .in, .out].contains(horizontalBase) else {
            throw ObjectRefusal(reason: "The horizontal base of a prism must be none, in or out")
        }
        guard verticalBase != .none || vertical == 0, horizontalBase != .none || horizontal == 0 else {
            throw ObjectRefusal(reason: "A prism with an amount requires a base")
        }
        self.vertical = vertical
        self.verticalBase = verticalBase
        self.horizontal = horizontal
        self.horizontalBase = horizontalBase
    }

    /// The strength and the direction of the base, from 0 up to 360 degrees.
    func polar(_ eye: HKVisionEye) -> (amount: Double, degrees: Double) {
        let up = verticalBase == .down ? -vertical : vertical
        let isRightward = (horizontalBase == .in) == (eye == .right)
        let right = isRightward ? horizontal : -horizontal
        guard up != 0 || right != 0 else { return (0, 0) }
        let degrees = atan2(up, right) * 180 / .pi
        return (hypot(up, right), degrees < 0 ? degrees + 360 : degrees)
    }
}
