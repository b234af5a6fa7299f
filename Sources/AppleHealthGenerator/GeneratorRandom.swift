import HealthModel

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same everywhere.
struct GeneratorRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Creates an independent stream for one kind of data.
    init(seed: UInt64, stream: String) {
        self.init(seed: seed ^ FNV1a.hash(stream.utf8))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A random integer in the range.
    mutating func integer(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// Returns true with a probability in thousandths.
    mutating func chance(_ perThousand: Int) -> Bool {
        integer(0...999) < perThousand
    }

    /// A random UUID as text.
    mutating func uuid() -> String {
        let digits = Array("0123456789ABCDEF")
        var text = ""
        for (index, count) in [8, 4, 4, 4, 12].enumerated() {
            if index > 0 { text += "-" }
            for position in 0..<count {
                text.append(
                    index == 2 && position == 0 ? "4" : index == 3 && position == 0 ? "A" : digits[integer(0...15)])
            }
        }
        return text
    }
}
