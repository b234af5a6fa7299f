/// One of the three activity rings: its colour, its place, and how it is coloured along its length.
enum Ring: CaseIterable {
    case move, exercise, stand

    /// The ring's colour in sRGB (Human Interface Guidelines, activity rings).
    var color: RingColor {
        switch self {
        case .move: RingColor(red: 250, green: 17, blue: 79)
        case .exercise: RingColor(red: 166, green: 255, blue: 0)
        case .stand: RingColor(red: 0, green: 255, blue: 246)
        }
    }

    /// The deeper colour a ring starts with, so that a turn that overlaps itself can be told apart.
    /// The project's own choice: the guidelines give one colour a ring.
    var startColor: RingColor {
        switch self {
        case .move: RingColor(red: 200, green: 0, blue: 32)
        case .exercise: RingColor(red: 88, green: 200, blue: 0)
        case .stand: RingColor(red: 0, green: 176, blue: 224)
        }
    }

    /// 0 for the outermost ring.
    var index: Int {
        switch self {
        case .move: 0
        case .exercise: 1
        case .stand: 2
        }
    }

    /// What the ring is called for a screen reader.
    var label: String {
        switch self {
        case .move: "Move"
        case .exercise: "Exercise"
        case .stand: "Stand"
        }
    }
}
