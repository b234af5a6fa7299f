/// Gives each distinct string a number, by its bytes. Twin of ``StringPoolReader``.
struct StringPoolWriter {
    /// In place of twice the length: 16 bytes of a UUID in upper or lower case follow.
    static let uppercaseUUID = 1
    static let lowercaseUUID = 3

    /// Strings of equal appearance but different bytes stay apart, so keys are bytes.
    private var numbers: [[UInt8]: Int] = [:]
    private var strings: [[UInt8]] = []

    mutating func number(_ string: String) -> Int {
        let bytes = Array(string.utf8)
        if let number = numbers[bytes] { return number }
        numbers[bytes] = strings.count
        strings.append(bytes)
        return strings.count - 1
    }

    func write(to writer: inout ByteWriter) {
        writer.unsigned(strings.count)
        for string in strings {
            if let uuid = UUIDText.parse(string) {
                writer.unsigned(uuid.lowercase ? Self.lowercaseUUID : Self.uppercaseUUID)
                writer.raw(uuid.bytes)
            } else {
                writer.unsigned(string.count * 2)
                writer.raw(string)
            }
        }
    }
}
