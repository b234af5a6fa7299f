package import HealthTesting

/// Damages bytes in the ways files are damaged, and in a few that hurt a scanner most.
package enum Mutation {
    private static let alphabet = Array("<>\"'/=&;! ?-[]\n\r\t\u{0B}\u{00}09azA:.+é".utf8)

    /// `count` changes at places from `first` on.
    package static func apply(
        to bytes: [UInt8], from first: Int, count: Int, using random: inout SplitMix64
    ) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<count where bytes.count > first + 1 {
            let place = Int.random(in: first..<bytes.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: bytes[place] = alphabet.randomElement(using: &random)!
            case 4, 5: bytes.remove(at: place)
            case 6: bytes.insert(alphabet.randomElement(using: &random)!, at: place)
            case 7:
                let end = min(bytes.count, place + Int.random(in: 1...60, using: &random))
                bytes.removeSubrange(place..<end)
            case 8:
                let end = min(bytes.count, place + Int.random(in: 1...200, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: first..<bytes.count, using: &random))
            default:
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }
}
