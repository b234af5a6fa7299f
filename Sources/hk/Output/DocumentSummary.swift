import HealthKit
import HealthModel

/// Describes documents and series, such as electrocardiograms, routes and clinical records, in a few words.
enum DocumentSummary {
    /// `sinus rhythm, 61 count/min, 15,360 voltages` or `287 beats`.
    static func text(_ document: DocumentBody, of type: TypeDescription) -> String {
        let parts: [String?] =
            switch type.identifier {
            case "HKDataTypeIdentifierElectrocardiogram":
                [
                    electrocardiogram(document), quantity(document[ElectrocardiogramDocument.averageHeartRate]),
                    count(document.series[ElectrocardiogramDocument.times]?.count ?? 0, "voltage"),
                ]
            case "HKDataTypeIdentifierHeartbeatSeries":
                [count(document.series[HeartbeatSeriesDocument.offsets]?.count ?? 0, "beat")]
            case "HKWorkoutRouteTypeIdentifier":
                [count(document.series[RouteDocument.Column.timestamps.rawValue]?.count ?? 0, "location")]
            case "HKDataTypeIdentifierAudiogram":
                [count(elements(document[AudiogramDocument.points]), "frequency", "frequencies")]
            case "HKVisionPrescriptionTypeIdentifier":
                [
                    document[VisionPrescriptionDocument.type] == .integer(VisionPrescriptionDocument.contacts)
                        ? "contacts" : "glasses", eye("right", document[VisionPrescriptionDocument.rightEye]),
                    eye("left", document[VisionPrescriptionDocument.leftEye]),
                ]
            default: general(document)
            }
        let text = parts.compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? "–" : text
    }

    /// The classification of a recording: `sinus rhythm`.
    static func electrocardiogram(_ document: DocumentBody) -> String? {
        guard case .integer(let value) = document[ElectrocardiogramDocument.classification] else { return nil }
        return HKElectrocardiogram.Classification(rawValue: Int(value)).map { NameOutput.words("\($0)") }
    }

    private static func eye(_ side: String, _ lens: FieldValue?) -> String? {
        guard case .record(let fields) = lens, let sphere = quantity(fields[LensDocument.sphere]) else { return nil }
        return "\(side) \(sphere)"
    }

    /// The names and numbers of a document, then what its series hold: `Immunization, Measles vaccine` or `score 4`.
    private static func general(_ document: DocumentBody) -> [String?] {
        let named = ["displayName", "title", "FHIRResourceType", "issuer", "nickname"].compactMap { name -> String? in
            if case .string(let text) = document[name] { text } else { nil }
        }
        guard named.isEmpty else { return named }
        let numbers = document.fields.sorted { $0.key < $1.key }.compactMap { name, value -> String? in
            let words = NameOutput.words(name)
            return switch value {
            case .integer(let number): "\(words) \(number)"
            case .double(let number): "\(words) \(NumberOutput.text(number))"
            case .string(let text): "\(words) \(text)"
            case .quantity: quantity(value).map { "\(words) \($0)" }
            default: nil
            }
        }
        let series = document.series.values.map(\.count).max() ?? 0
        return numbers.prefix(3).map { Optional($0) } + [series > 0 ? count(series, "number") : nil]
    }

    private static func quantity(_ field: FieldValue?) -> String? {
        guard case .quantity(let found) = field else { return nil }
        return NumberOutput.quantity(found.value, found.unit)
    }

    private static func elements(_ field: FieldValue?) -> Int {
        if case .list(let elements) = field { elements.count } else { 0 }
    }

    private static func count(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(NumberOutput.grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
