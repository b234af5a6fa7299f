import HealthModel

/// Copies that a service has from another one, such as Apple Health. They give way to what devices have sent it
/// themselves, and wait until all files were read.
struct MirroredSamples {
    /// A value of a moment. A copy may be a few seconds off, and its value rounded in another way.
    private struct Moment: Hashable {
        let type: TypeCode
        let second: Double
        let value: Double

        init(_ sample: SampleRecord, after seconds: Double = 0) {
            type = sample.type
            second = sample.start.rounded(.down) + seconds
            value = (sample.value * 1_000).rounded()
        }
    }

    private var moments: Set<Moment> = []
    /// Amounts of a length of time may be divided in another way.
    private var periods: [TypeCode: Periods] = [:]
    private var waiting: [Int: FileContent] = [:]

    /// Takes the copies out of a content, and notes the rest.
    mutating func take(from content: inout FileContent, file: Int) {
        guard content.hasMirrors else { return }
        for sample in content.samples + content.objects.flatMap(\.members) {
            if sample.end > sample.start {
                periods[sample.type, default: Periods()].add(sample.start, sample.end)
            } else {
                moments.insert(Moment(sample))
            }
        }
        waiting[file, default: FileContent()].samples += content.mirrored.samples
        waiting[file, default: FileContent()].objects += content.mirrored.objects
        content.mirrored = ([], [])
    }

    private func isKnown(_ sample: SampleRecord) -> Bool {
        guard sample.end == sample.start else {
            return periods[sample.type]?.contains((sample.start + sample.end) / 2) ?? false
        }
        return (-5...5).contains { moments.contains(Moment(sample, after: Double($0))) }
    }

    /// The copies of what no device has sent, by file.
    var rest: [(file: Int, content: FileContent)] {
        waiting.sorted { $0.key < $1.key }.map { file, content in
            var content = content
            let count = content.count
            content.samples.removeAll(where: isKnown)
            content.objects.removeAll { $0.members.allSatisfy(isKnown) }
            if content.count < count {
                content.leaveOut("copy of what a device has sent", count: count - content.count)
            }
            return (file, content)
        }
    }
}
