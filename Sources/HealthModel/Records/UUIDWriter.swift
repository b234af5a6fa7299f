package import Foundation

/// UUIDs as text in a buffer, without the string that `uuidString` creates: every line of an export has one.
package enum UUIDWriter {
    /// The length in bytes.
    package static let length = 36

    /// Writes a UUID in uppercase, as `uuidString` has it.
    ///
    /// - Parameter target: Memory for ``length`` bytes.
    package static func write(_ uuid: UUID, to target: UnsafeMutablePointer<UInt8>) {
        var place = 0
        withUnsafeBytes(of: uuid.uuid) { bytes in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    target[place] = UInt8(ascii: "-")
                    place += 1
                }
                target[place] = digit(byte >> 4)
                target[place + 1] = digit(byte & 15)
                place += 2
            }
        }
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }
}
