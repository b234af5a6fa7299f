import HealthModel

/// One observation of an archive's clinical document, as far as it can be compared with a sample.
struct ClinicalObservation: Hashable {
    /// HealthKit's name of the type.
    var type: String
    var value: Double
    var unit: String
    var start: Double
    var end: Double

    /// Reads an `observation` element; `nil` for one without HealthKit's type, a number or an instant.
    init?(_ element: ArchivedElement) {
        // What HealthKit knows of the sample stands as elements inside the observation's text.
        guard let text = element.child("text"), let type = text.child("type")?.content, !type.isEmpty,
            let value = text.child("value")?.content ?? element.child("value")?["value"],
            let number = NumberText.parse(value), number.isFinite, let time = element.child("effectiveTime"),
            let start = Self.instant(time.child("low")?["value"] ?? time["value"])
        else { return nil }
        self.type = type
        self.value = number
        unit = text.child("unit")?.content ?? element.child("value")?["unit"] ?? ""
        self.start = start
        end = Self.instant(time.child("high")?["value"]) ?? start
    }

    /// The instant of `yyyyMMddHHmmss±ZZZZ`; `nil` for any other text.
    static func instant(_ text: String?) -> Double? {
        guard let text, text.utf8.count == 19 else { return nil }
        let digits = Array(text)
        guard digits.count == 19 else { return nil }
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        return DateText.parse(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8)) \(part(8..<10)):\(part(10..<12)):\(part(12..<14)) \(part(14..<19))")
    }
}

extension ArchivedElement {
    /// The first child of this name.
    fileprivate func child(_ name: String) -> ArchivedElement? { children.first { $0.name == name } }

    /// The text inside, without the blanks around it.
    fileprivate var content: String? {
        let text = children.filter { $0.name == ElementReader.textName }.compactMap { $0["value"] }.joined()
        guard let first = text.firstIndex(where: { !$0.isWhitespace }), let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(text[first...last])
    }
}
