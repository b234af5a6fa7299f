/// The text form of bytes in two-dimensional codes (RFC 9285): three letters of 45 for two bytes.
enum Base45 {
    private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
    private static let values: [UInt8: Int] = Dictionary(
        uniqueKeysWithValues: letters.enumerated().map { ($0.element, $0.offset) })

    /// The bytes; `nil` for other letters, a letter too many, and triples that stand for no two bytes.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { values[$0] ?? -1 }
        guard digits.count % 3 != 1, !digits.contains(-1) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 3 * 2 + 1)
        for start in stride(from: 0, to: digits.count, by: 3) {
            let isPair = start + 2 < digits.count
            let number = digits[start] + digits[start + 1] * 45 + (isPair ? digits[start + 2] * 2_025 : 0)
            guard number <= (isPair ? 0xFFFF : 0xFF) else { return nil }
            if isPair { bytes.append(UInt8(number >> 8)) }
            bytes.append(UInt8(number & 0xFF))
        }
        return bytes
    }
}
