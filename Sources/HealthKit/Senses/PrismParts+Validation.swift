import HealthModel

extension PrismParts {
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
        self.init(
            vertical: vertical, verticalBase: Base(rawValue: verticalBase.rawValue) ?? .none,
            horizontal: horizontal, horizontalBase: Base(rawValue: horizontalBase.rawValue) ?? .none)
    }
}
