import HealthFiles
import HealthModel

/// Converts a device from and to its form in the archive, `<<HKDevice: 0x…>, name:…, manufacturer:…>`. The memory
/// address in it is meaningless and is dropped, and so is the date at which the phone first knew the device.
enum DeviceText {
    private typealias Property = any WritableKeyPath<DeviceRecord, String?> & Sendable

    /// Exports since iOS 17.6 end with it, also of devices that earlier exports have without. It isn't a property of a
    /// device, so that equal devices are equal.
    private static let creationDate = "creation date:"

    /// The names of a device's properties, in Apple's order. No archive with the last three is known, so several
    /// spellings are accepted.
    private static let properties: [(Property, [String])] = [
        (\.name, ["name"]), (\.manufacturer, ["manufacturer"]), (\.model, ["model"]),
        (\.hardwareVersion, ["hardware", "hardwareVersion"]), (\.firmwareVersion, ["firmware", "firmwareVersion"]),
        (\.softwareVersion, ["software", "softwareVersion"]), (\.localIdentifier, ["localIdentifier"]),
        (\.udiDeviceIdentifier, ["UDIDeviceIdentifier", "udiDeviceIdentifier", "UDI", "udi"]),
    ]

    /// Returns the device that a text describes. Text in another form becomes the device's name.
    static func parse(_ text: String) -> DeviceRecord? {
        guard !text.isEmpty else { return nil }
        guard text.hasPrefix("<<HKDevice: "), text.hasSuffix(">"), let close = text.firstIndex(of: ">") else {
            return DeviceRecord(name: text)
        }
        var device = DeviceRecord()
        var current: Property?
        var value = ""
        // The last character closes the outer bracket, unless the inner one is all there is.
        let rest = text.index(after: close) == text.endIndex ? "" : text[text.index(after: close)...].dropLast()
        for part in split(rest) where !part.hasPrefix(creationDate) {
            if let (property, first) = property(part) {
                if let current { device[keyPath: current] = value }
                (current, value) = (property, first)
            } else if current != nil {
                // The value contained a comma and a space.
                value += ", "
                value += part
            }
        }
        if let current { device[keyPath: current] = value }
        return device
    }

    /// Returns the device in the archive's form, with a placeholder address.
    static func print(_ device: DeviceRecord) -> String {
        var text = "<<HKDevice: 0x0>"
        for (property, names) in properties {
            if let value = device[keyPath: property] { text += ", \(names[0]):\(value)" }
        }
        return text + ">"
    }

    private static func split(_ text: Substring) -> [Substring] {
        let parts = text.utf8.split(separator: Array(", ".utf8), omittingEmptySubsequences: false).map { Substring($0) }
        // The part before the first property is empty.
        return parts.first?.isEmpty == true ? Array(parts.dropFirst()) : parts
    }

    private static func property(_ part: Substring) -> (Property, String)? {
        guard let colon = part.firstIndex(of: ":") else { return nil }
        let name = String(part[..<colon])
        guard let property = properties.first(where: { $0.1.contains(name) })?.0 else { return nil }
        return (property, String(part[part.index(after: colon)...]))
    }
}

/// The memory address in a device's raw text, `&lt;&lt;HKDevice: 0x282e3a260&gt;, …`. It differs between equal
/// devices and must not be compared.
enum DeviceAddress {
    private static let mark: StaticString = "&lt;&lt;HKDevice: 0x"

    /// The range of the address's digits in the value of a device attribute; ``ByteRange/none`` if there is none.
    static func digits(in device: ByteRange, _ base: UnsafePointer<UInt8>) -> ByteRange {
        guard device.exists, TagScanner.hasPrefix(mark, base, at: device.start, end: device.end) else { return .none }
        let start = device.start + mark.utf8CodeUnitCount
        let end = skipDigits(base, from: start, end: device.end)
        return end > start ? ByteRange(start: start, end: end) : .none
    }

    /// The part of the value after the address.
    static func skip(_ device: ByteRange, _ base: UnsafePointer<UInt8>) -> ByteRange {
        let digits = digits(in: device, base)
        return digits.exists ? ByteRange(start: digits.end, end: device.end) : device
    }

    /// The offset of the first byte that is not a lowercase hexadecimal digit.
    @inline(__always)
    static func skipDigits(_ base: UnsafePointer<UInt8>, from start: Int, end: Int) -> Int {
        var position = start
        while position < end {
            let byte = base[position]
            guard byte &- 0x30 < 10 || byte &- 0x61 < 6 else { break }
            position += 1
        }
        return position
    }
}
