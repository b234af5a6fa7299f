import HealthModel

/// A device as the telephone prints it, with an address. The telephone's is of its memory and different
/// every time; ours is made of the device, so that equal devices have equal text.
enum DeviceTextWriter {
    static func text(_ device: DeviceRecord) -> String {
        let text = DeviceText.print(device)
        return opening + address(text) + text.dropFirst(made.count)
    }

    /// The text again, if it is one of a device that an import kept without its address.
    static func withAddress(_ text: String) -> String {
        text.hasPrefix(made) ? opening + address(text) + text.dropFirst(made.count) : text
    }

    private static let opening = "<<HKDevice: 0x"
    /// How a device is printed without an address.
    private static let made = opening + "0"

    /// Nine digits as telephones have them, by FNV-1a over the text.
    private static func address(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // Objects lie at multiples of 16.
        return String(0x2_8000_0000 | (hash >> 20 & 0x7FF_FFFF) << 4, radix: 16)
    }
}
