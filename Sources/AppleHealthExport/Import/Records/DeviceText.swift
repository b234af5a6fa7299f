import HealthModel

/// A device as the archive prints it, `<<HKDevice: 0x…>, name:…, manufacturer:…>`, and back. The
/// address in it is of the phone's memory and means nothing: it is dropped.
enum DeviceText {
    private typealias Property = any WritableKeyPath<DeviceRecord, String?> & Sendable

    /// The printed names of a device's properties, in Apple's order; the last three were never seen
    /// printed, so a few spellings are taken.
    private static let properties: [(Property, [String])] = [
        (\.name, ["name"]),
        (\.manufacturer, ["manufacturer"]),
        (\.model, ["model"]),
        (\.hardwareVersion, ["hardware", "hardwareVersion"]),
        (\.firmwareVersion, ["firmware", "firmwareVersion"]),
        (\.softwareVersion, ["software", "softwareVersion"]),
        (\.localIdentifier, ["localIdentifier"]),
        (\.udiDeviceIdentifier, ["UDIDeviceIdentifier", "udiDeviceIdentifier", "UDI", "udi"]),
    ]

    /// The device a text tells of. A text in another form becomes the device's name.
    static func parse(_ text: String) -> DeviceRecord? {
        guard !text.isEmpty else { return nil }
        guard text.hasPrefix("<<HKDevice: "), text.hasSuffix(">"), let close = text.firstIndex(of: ">") else {
            return DeviceRecord(name: text)
        }
        var device = DeviceRecord()
        var current: Property?
        // The last character closes the outer bracket, unless the inner one is all there is.
        let rest = text.index(after: close) == text.endIndex ? "" : text[text.index(after: close)...].dropLast()
        for part in split(rest) {
            if let (property, value) = property(part) {
                device[keyPath: property] = value
                current = property
            } else if let current {
                // A comma inside a value, as in `hardware:Watch6,7` with a blank after it.
                device[keyPath: current] = (device[keyPath: current] ?? "") + ", " + part
            }
        }
        return device
    }

    /// The device in the archive's words, with a made-up address.
    static func print(_ device: DeviceRecord) -> String {
        var text = "<<HKDevice: 0x0>"
        for (property, names) in properties {
            if let value = device[keyPath: property] { text += ", \(names[0]):\(value)" }
        }
        return text + ">"
    }

    private static func split(_ text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var position = text.startIndex
        while position < text.endIndex {
            let next = text.index(after: position)
            if text[position] == ",", next < text.endIndex, text[next] == " " {
                parts.append(text[start..<position])
                start = text.index(after: next)
                position = start
            } else {
                position = next
            }
        }
        parts.append(text[start...])
        // What stands between the inner bracket and the first property is nothing.
        return parts.first?.isEmpty == true ? Array(parts.dropFirst()) : parts
    }

    private static func property(
        _ part: Substring
    ) -> (Property, String)? {
        guard let colon = part.firstIndex(of: ":") else { return nil }
        let name = String(part[..<colon])
        guard let property = properties.first(where: { $0.1.contains(name) })?.0 else { return nil }
        return (property, String(part[part.index(after: colon)...]))
    }
}
