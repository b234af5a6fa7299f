import HealthInsights

/// One of the three activity rings, with its color gradient and position.
enum Ring: Int, CaseIterable {
    case move, exercise, stand

    /// The ring's color in sRGB (Human Interface Guidelines, activity rings).
    var color: RingColor {
        switch self {
        case .move: RingColor(red: 250, green: 17, blue: 79)
        case .exercise: RingColor(red: 166, green: 255, blue: 0)
        case .stand: RingColor(red: 0, green: 255, blue: 246)
        }
    }

    /// The deeper color that a ring starts with, so that an overlapping turn can be distinguished.
    /// This is the project's own choice: the guidelines give one color per ring.
    var startColor: RingColor {
        switch self {
        case .move: RingColor(red: 200, green: 0, blue: 32)
        case .exercise: RingColor(red: 88, green: 200, blue: 0)
        case .stand: RingColor(red: 0, green: 176, blue: 224)
        }
    }

    /// 0 for the outermost ring.
    var index: Int { rawValue }

    /// The ring's name for screen readers.
    var label: String {
        switch self {
        case .move: "Move"
        case .exercise: "Exercise"
        case .stand: "Stand"
        }
    }
}

extension RingProgress {
    /// The share of one ring; `nil` for an empty ring.
    func share(of ring: Ring) -> Double? {
        switch ring {
        case .move: move
        case .exercise: exercise
        case .stand: stand
        }
    }
}

/// An sRGB color with components from 0 to 255.
struct RingColor: Hashable, Sendable {
    var red: Double
    var green: Double
    var blue: Double

    /// Returns the color at `fraction` (0 to 1) of the way to `other`.
    func mixed(with other: RingColor, _ fraction: Double) -> RingColor {
        RingColor(
            red: red + (other.red - red) * fraction, green: green + (other.green - green) * fraction,
            blue: blue + (other.blue - blue) * fraction)
    }

    /// The color in CSS notation.
    var css: String {
        "rgb(\(Int(red.rounded())),\(Int(green.rounded())),\(Int(blue.rounded())))"
    }
}
