import HealthModel

extension FieldValue {
    /// The text, where it is one.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
