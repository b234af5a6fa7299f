/// One line of the table.
struct Line: Sendable {
    enum Target: Sendable {
        /// A ratio or figure that must not be exceeded.
        case atMost(Double)
        /// A ratio that must be reached.
        case atLeast(Double)
        /// Nothing is promised.
        case none
    }

    /// What was done.
    var what: String
    var ours: String
    var other = ""
    /// The figure the target is about.
    var figure: Double?
    /// The unit of the figure, written behind it: `×`, `× faster`, `MB`, `B`.
    var unit = "×"
    var target = Target.none
    /// Spread and processor time, for the notes below the table.
    var spread: String?

    /// Whether the target was met; `nil` without one.
    var isHeld: Bool? { figure.flatMap { target.isMet(by: $0) } }
}

extension Line.Target {
    func isMet(by figure: Double) -> Bool? {
        switch self {
        case .atMost(let limit): figure <= limit
        case .atLeast(let limit): figure >= limit
        case .none: nil
        }
    }
}
