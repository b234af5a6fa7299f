import HealthModel

/// Finds workouts that several files of an import have, and keeps the one with the most detail.
struct FileCopies {
    private struct Entry {
        let file: Int
        let object: Int
        let recording: Recording
    }

    private var entries: [Entry] = []

    /// Takes note of the workouts of a file.
    mutating func add(_ content: DeviceContent, file: Int) {
        for place in content.objects.indices {
            guard let recording = content.recording(of: place) else { continue }
            entries.append(Entry(file: file, object: place, recording: recording))
        }
    }

    /// The numbers of the objects of each file that another file has in the same or more detail; of equals, the first
    /// file is kept.
    func surplus() -> [Int: Set<Int>] {
        var surplus: [Int: Set<Int>] = [:]
        var kept: [Entry] = []
        let ranked = entries.enumerated().sorted {
            ($1.element.recording.detail, $0.offset) < ($0.element.recording.detail, $1.offset)
        }
        // Those that may overlap, by day: comparing each with each would take long for thousands.
        var days: [Int: [Int]] = [:]
        for (_, entry) in ranked {
            let near = Self.days(entry.recording).flatMap { days[$0] ?? [] }
            if near.contains(where: { kept[$0].recording.isSame(as: entry.recording) }) {
                surplus[entry.file, default: []].insert(entry.object)
                continue
            }
            for day in Self.days(entry.recording) { days[day, default: []].append(kept.count) }
            kept.append(entry)
        }
        return surplus
    }

    /// The days in which a recording begins and ends.
    private static func days(_ recording: Recording) -> Set<Int> {
        Set([recording.start, recording.end].map { Int(max(-1e12, min(1e12, $0)) / 86_400) })
    }
}
