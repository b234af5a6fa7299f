extension HKStateOfMind.ValenceClassification {
    /// The class of a valence; `nil` outside -1…1.
    ///
    /// The seven classes share the range in equal parts, a bound belonging to the more pleasant one; the
    /// original does not publish its bounds.
    public init?(valence: Double) {
        guard HKStateOfMind.valences.contains(valence) else { return nil }
        let part = Int((valence + 1) / 2 * 7)
        self.init(rawValue: min(part, 6) + 1)
    }
}
