/// Numbers as programs read them.
package enum NumberText {
    /// The fewest digits that give the number back, whole numbers without a point; `nil` for what is no number.
    package static func shortest(_ number: Double) -> String? {
        guard number.isFinite else { return nil }
        if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
        return "\(number)"
    }
}
