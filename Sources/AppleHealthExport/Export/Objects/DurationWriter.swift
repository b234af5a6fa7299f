import HealthModel

/// A duration as the archive writes it, in minutes: the twin of ``DurationText``.
enum DurationWriter {
    /// The key under which an import keeps a duration's own text.
    static let key = MetadataKey.archivedPrefix + "duration"

    /// Appends `duration` and `durationUnit`: the text kept from an import, else the number of minutes that is
    /// read as these seconds.
    static func append(_ seconds: Double, kept metadata: Metadata, to element: inout ArchivedElement) {
        if case .string(let text)? = metadata[key], let blank = text.firstIndex(of: " ") {
            element.append("duration", String(text[..<blank]))
            element.append("durationUnit", String(text[text.index(after: blank)...]))
            return
        }
        if let minutes = minutes(seconds) {
            element.append("duration", NumberText.print(minutes))
            element.append("durationUnit", "min")
        } else {
            element.append("duration", NumberText.print(seconds))
            element.append("durationUnit", "s")
        }
    }

    /// Minutes between two instants, in as few digits as give the end back when they are added to the start.
    static func minutes(from start: Double, to end: Double) -> Double {
        let exact = (end - start) / 60
        guard exact.isFinite, abs(exact) < 1e9 else { return exact }
        var power = 1.0
        for _ in 0...12 {
            let minutes = (exact * power).rounded() / power
            if start + minutes * 60 == end { return minutes }
            power *= 10
        }
        return exact
    }

    private static func minutes(_ seconds: Double) -> Double? {
        let minutes = seconds / 60
        return [minutes, minutes.nextUp, minutes.nextDown].first { $0 * 60 == seconds }
    }
}
