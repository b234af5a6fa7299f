import Foundation

/// A supplement's lines as bytes and back: `{"check":"…","line":{…}}`, where the check is a digest of the
/// line's own text, so that a damaged line is known before anything of it is believed.
enum SupplementText {
    /// A longer line is not read, and not written.
    static let longestLine = 1 << 24

    private static let opening = Array("{\"check\":\"".utf8)
    private static let middle = Array("\",\"line\":".utf8)
    private static let digits = 32

    /// The line with its end; throws for what JSON cannot hold.
    static func encode(_ line: SupplementLine) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = Array(try encoder.encode(line))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 64)
        bytes += opening
        bytes += check(text[...])
        bytes += middle
        bytes += text
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// The line of these bytes, without their line break; `nil` for bytes that are no line or not as they were
    /// written.
    static func decode(_ bytes: ArraySlice<UInt8>) -> SupplementLine? {
        let start = opening.count + digits + middle.count
        guard bytes.count > start + 1, bytes.starts(with: opening), bytes.last == UInt8(ascii: "}"),
            bytes.dropFirst(opening.count + digits).starts(with: middle)
        else { return nil }
        let text = bytes.dropFirst(start).dropLast()
        guard bytes.dropFirst(opening.count).starts(with: check(text)) else { return nil }
        return try? JSONDecoder().decode(SupplementLine.self, from: Data(text))
    }

    private static func check(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var digest = ByteDigest()
        text.withUnsafeBytes { digest.update($0) }
        return Array(digest.text.utf8)
    }
}
