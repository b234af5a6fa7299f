import Foundation
import HealthModel

// What health records read out of their documents. A field of another kind counts as missing.
extension DocumentBody {
    func text(_ name: String) -> String? { fields[name]?.text }

    func bytes(_ name: String) -> [UInt8]? {
        if case .data(let bytes) = fields[name] { bytes } else { nil }
    }

    func flag(_ name: String) -> Bool? {
        if case .bool(let flag) = fields[name] { flag } else { nil }
    }

    func instant(_ name: String) -> Date? {
        guard case .date(let seconds) = fields[name] else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    func record(_ name: String) -> [String: FieldValue]? {
        if case .record(let fields) = fields[name] { fields } else { nil }
    }
}

extension FieldValue {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
