/// Tells an export's main file by its first kilobyte: its name is translated and cannot be relied on.
enum ExportSignature {
    /// How many bytes ``matches(_:)`` wants to see.
    static let length = 1024

    private static let marks: [[UInt8]] = [Array("<!DOCTYPE HealthData".utf8), Array("<HealthData".utf8)]

    /// Whether these first bytes are those of an export. The clinical document that lies beside it
    /// (`export_cda.xml`) does not match.
    static func matches(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(length))
        return marks.contains { mark in
            guard head.count > mark.count else { return false }
            return (0..<(head.count - mark.count)).contains { start in
                guard head[start..<(start + mark.count)].elementsEqual(mark) else { return false }
                // `<HealthDataFile` would be something else.
                return " \t\r\n[>/".utf8.contains(head[start + mark.count])
            }
        }
    }

    /// Whether these bytes begin a text in UTF-16 or UTF-32, with a mark or without.
    static func isWide(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(4))
        guard head.count == 4 else { return false }
        return head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0x3C, 0])
            || head.starts(with: [0, 0x3C]) || head.starts(with: [0, 0, 0xFE, 0xFF]) || head == [0, 0, 0, 0x3C]
    }

    /// Whether a zip file begins like this: a local header, or the end record of an empty one.
    static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(4))
        return head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6]
    }
}
