import HealthModel

/// How many decimals a GPX file gives of each kind of number, so that the same digits come out again.
///
/// Apple always gives six. A file of another tool may give some other number, or not always the same.
struct RouteDecimals: Equatable {
    /// The numbers of a point in the order in which a GPX file has them.
    enum Number: Int, CaseIterable {
        case longitude, latitude, altitude, speed, course, horizontalAccuracy, verticalAccuracy
    }

    /// What Apple writes.
    static let usual = 6
    private static let greatest = 17

    /// By ``Number``; `nil` until one is seen, -1 where they differ.
    private var counts = [Int?](repeating: nil, count: Number.allCases.count)

    /// Looks at one number as it is written.
    mutating func see(_ text: UnsafeBufferPointer<UInt8>, of number: Number) {
        var decimals = 0
        var isPlain = true
        if let point = text.firstIndex(of: UInt8(ascii: ".")) { decimals = text.count - point - 1 }
        if decimals > Self.greatest || text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { isPlain = false }
        let seen = isPlain ? decimals : -1
        let known = counts[number.rawValue]
        counts[number.rawValue] = known == nil || known == seen ? seen : -1
    }

    /// How many decimals to write; `nil` for as many as the number needs.
    func count(of number: Number) -> Int? {
        let count = counts[number.rawValue] ?? Self.usual
        return count < 0 ? nil : count
    }

    /// Seven figures with blanks between, `-` for as many as needed; `nil` for Apple's own way.
    var text: String? {
        let all = Number.allCases.map { count(of: $0) }
        if all.allSatisfy({ $0 == Self.usual }) { return nil }
        return all.map { $0.map(String.init) ?? "-" }.joined(separator: " ")
    }

    init() {}

    /// What ``text`` gave; Apple's way for any other text.
    init(text: String?) {
        guard let parts = text?.split(separator: " "), parts.count == counts.count else { return }
        let all = parts.map { $0 == "-" ? -1 : Int($0) ?? Self.usual }
        if all.allSatisfy({ (-1...Self.greatest).contains($0) }) { counts = all }
    }
}
