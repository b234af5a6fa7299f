/// What a body burns at rest, after the revised Harris–Benedict coefficients rounded as fitness
/// applications commonly use them.
enum RestingEnergy {
    static func kilocaloriesPerDay(
        kilograms: Double, centimeters: Double, years: Int, isMale: Bool
    ) -> Double {
        isMale
            ? 66.0 + 13.8 * kilograms + 5 * centimeters - 6.8 * Double(years)
            : 655.0 + 9.6 * kilograms + 1.8 * centimeters - 4.7 * Double(years)
    }
}
