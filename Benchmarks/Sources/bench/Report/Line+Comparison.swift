extension Line {
    /// A comparison whose ratio says how much of the other's time ours takes.
    init(_ what: String, _ comparison: Comparison, target: Target = .none) {
        self.init(
            what: what, ours: Figure.time(comparison.oursWall), other: Figure.time(comparison.otherWall),
            figure: comparison.ratio, target: target, spread: Self.spread(of: comparison) { $0 })
    }

    /// A comparison whose ratio says how many times faster ours is.
    init(_ what: String, faster comparison: Comparison, target: Target = .none) {
        self.init(
            what: what, ours: Figure.time(comparison.oursWall), other: Figure.time(comparison.otherWall),
            figure: 1 / comparison.ratio, unit: "× faster", target: target, spread: Self.spread(of: comparison) { 1 / $0 })
    }

    private static func spread(of comparison: Comparison, _ tell: (Double) -> Double) -> String {
        let ratios = comparison.ratios.map(tell).sorted()
        guard let least = ratios.first, let greatest = ratios.last else { return "" }
        let pairs = ratios.count == 1 ? "1 pair" : "\(ratios.count) pairs"
        return "\(pairs), ratio \(Figure.plain(least)) to \(Figure.plain(greatest)); "
            + "in processor time \(Figure.plain(tell(comparison.processorRatio)))"
    }
}
