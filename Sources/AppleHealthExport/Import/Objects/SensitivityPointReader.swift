import HealthModel

/// A `SensitivityPoint` element as a record of ``AudiogramDocument/Point``.
enum SensitivityPointReader {
    /// `nil` for a point without a frequency or a reading, and for one with a number, unit or truth value that
    /// makes no sense: nothing of a hearing test is guessed.
    static func read(_ element: ArchivedElement) -> FieldValue? {
        guard element.children.isEmpty,
            let frequency = QuantityText.read(element["frequencyValue"], unit: element["frequencyUnit"], in: "Hz"),
            frequency.canonical > 0, frequency.canonical <= AudiogramDocument.greatestFrequency
        else { return nil }
        var tests: [FieldValue] = []
        for (ear, side) in [("leftEar", AudiogramDocument.left), ("rightEar", AudiogramDocument.right)] {
            guard element[ear + "Value"] != nil else { continue }
            guard let test = test(element, ear, side) else { return nil }
            tests.append(test)
        }
        guard !tests.isEmpty else { return nil }
        return .record([
            AudiogramDocument.Point.frequency: .quantity(frequency.record),
            AudiogramDocument.Point.tests: .list(tests),
        ])
    }

    private static func test(_ element: ArchivedElement, _ ear: String, _ side: Int64) -> FieldValue? {
        guard
            let sensitivity = QuantityText.read(element[ear + "Value"], unit: element[ear + "Unit"], in: "dBHL"),
            AudiogramDocument.sensitivities.contains(sensitivity.canonical)
        else { return nil }
        var fields: [String: FieldValue] = [
            AudiogramDocument.Test.sensitivity: .quantity(sensitivity.record),
            AudiogramDocument.Test.type: .integer(AudiogramDocument.air),
            AudiogramDocument.Test.side: .integer(side),
            AudiogramDocument.Test.masked: .bool(false),
        ]
        if let text = element[ear + "Masked"] {
            guard let masked = truth(text) else { return nil }
            fields[AudiogramDocument.Test.masked] = .bool(masked)
        }
        var bounds: [String: Double] = [:]
        for (name, field) in [
            ("LowerBound", AudiogramDocument.ClampingRange.lower), ("UpperBound", AudiogramDocument.ClampingRange.upper),
        ] {
            guard let text = element[ear + "ClampingRange" + name] else { continue }
            guard let bound = NumberText.parse(text), bound.isFinite else { return nil }
            bounds[field] = bound
        }
        if !bounds.isEmpty {
            let lower = bounds[AudiogramDocument.ClampingRange.lower] ?? -.infinity
            guard lower < bounds[AudiogramDocument.ClampingRange.upper] ?? .infinity else { return nil }
            fields[AudiogramDocument.Test.clampingRange] = .record(bounds.mapValues { .double($0) })
        }
        return .record(fields)
    }

    /// How Apple spells a truth value here was never seen; metadata has 0 and 1.
    private static func truth(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }
}
