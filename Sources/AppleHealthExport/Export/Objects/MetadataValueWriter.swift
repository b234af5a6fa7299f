import HealthModel

/// A metadata value as the archive writes it: the text it came with, or else one that is read as the
/// same value where there is one.
enum MetadataValueWriter {
    static func text(_ entry: Metadata.Entry) -> String {
        if let text = entry.archivedText { return text }
        let text = MetadataText.print(entry.value, key: entry.key)
        guard case .quantity(let number, "%") = entry.value else { return text }
        // Times a hundred and divided again may be a hair off.
        let factor = text.hasPrefix(NumberText.print(number * 100) + " ") ? 100.0 : 10_000
        return exact(number, factor: factor) + " %"
    }

    private static func exact(_ number: Double, factor: Double) -> String {
        let product = number * factor
        let near = [product, product.nextUp, product.nextDown].first { $0 / factor == number }
        return NumberText.print(near ?? product)
    }
}
