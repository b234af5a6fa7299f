/// Seeded mutations of inputs, in the ways files are damaged and in those that hurt readers most.
struct FuzzMutation {
    private var state: UInt64
    private let words: [[UInt8]]
    private static let numbers = [
        "0", "-1", "255", "256", "65535", "2147483647", "2147483648", "4294967296", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "1e308", "-1e308", "1e999", "1e-320", "NaN", "Infinity",
        "0.1", "-0.0", "99999999999999999999",
    ].map { Array($0.utf8) }
    private static let bytes: [UInt8] = [
        0, 1, 0x0A, 0x22, 0x27, 0x2D, 0x39, 0x3C, 0x3E, 0x5B, 0x5C, 0x7B, 0x7F, 0x80, 0xC3, 0xFF,
    ]

    init(seed: UInt64, words: [String]) {
        state = seed
        self.words = words.map { Array($0.utf8) }
    }

    /// A number from 0 to below a limit, by SplitMix64.
    private mutating func next(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: (z ^ (z >> 31)) % UInt64(max(1, limit)))
    }

    /// Returns one of the inputs with one to six changes.
    mutating func callAsFunction(_ inputs: [[UInt8]]) -> [UInt8] {
        guard !inputs.isEmpty else { return [] }
        var input = inputs[next(inputs.count)]
        for _ in 0...next(6) { change(&input, inputs) }
        return input
    }

    private mutating func change(_ input: inout [UInt8], _ inputs: [[UInt8]]) {
        guard !input.isEmpty else {
            input = [UInt8(next(256))]
            return
        }
        let place = next(input.count)
        let end = min(input.count, place + 1 + next(24))
        switch next(12) {
        case 0: input[place] ^= 1 << UInt8(next(8))
        case 1: input[place] = UInt8(next(256))
        case 2: input[place] = Self.bytes[next(Self.bytes.count)]
        case 3: input.insert(Self.bytes[next(Self.bytes.count)], at: place)
        case 4: input.removeSubrange(place..<end)
        case 5: input.insert(contentsOf: input[place..<end], at: next(input.count))
        case 6: input.removeSubrange(place...)
        case 7: replaceNumber(&input, near: place)
        case 8: if !words.isEmpty { input.insert(contentsOf: words[next(words.count)], at: place) }
        case 9: if !words.isEmpty { input.replaceSubrange(place..<end, with: words[next(words.count)]) }
        case 10:
            let other = inputs[next(inputs.count)]
            if !other.isEmpty {
                let start = next(other.count)
                input.replaceSubrange(place..<end, with: other[start..<min(other.count, start + 1 + next(40))])
            }
        default:
            let part = Array(input[place..<end])
            for _ in 0..<(2 << next(6)) where input.count < 1 << 14 { input.insert(contentsOf: part, at: place) }
        }
    }

    /// Replaces the next digits by a number that readers have trouble with.
    private mutating func replaceNumber(_ input: inout [UInt8], near place: Int) {
        let digits: ClosedRange<UInt8> = 48...57
        guard let start = input[place...].firstIndex(where: { digits.contains($0) }) else { return }
        let end = input[start...].firstIndex { !digits.contains($0) } ?? input.count
        input.replaceSubrange(start..<end, with: Self.numbers[next(Self.numbers.count)])
    }
}
