/// An sRGB colour, components 0 to 255.
struct RingColor: Hashable, Sendable {
    var red: Double
    var green: Double
    var blue: Double

    /// The colour `fraction` (0 to 1) of the way to `other`.
    func mixed(with other: RingColor, _ fraction: Double) -> RingColor {
        RingColor(
            red: red + (other.red - red) * fraction, green: green + (other.green - green) * fraction,
            blue: blue + (other.blue - blue) * fraction)
    }

    /// The colour as CSS writes it.
    var css: String {
        "rgb(\(Int(red.rounded())),\(Int(green.rounded())),\(Int(blue.rounded())))"
    }
}
