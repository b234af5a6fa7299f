import HealthEngine
import HealthModel
import HealthPages
import HealthImport

@testable import AppleHealthExport

/// The contents of a store as two multisets, equal for stores that differ only in UUIDs.
struct StoreImage: Equatable {
    private(set) var samples: [PlainSample: Int] = [:]
    private(set) var objects: [PlainObject: Int] = [:]
    private(set) var profile = Profile()
    private(set) var importMetadata: [String: String] = [:]

    init(_ engine: HealthEngine) throws {
        try engine.readContents { contents in
            for type in try contents.types() {
                try contents.visitPages(of: type.code) { header, body in
                    for sample in PlainSample.list(
                        try PageReader(header: header, body: body).read(.all), contents.dictionaries)
                    {
                        samples[sample, default: 0] += 1
                    }
                    return true
                }
                var found: [ObjectRecord] = []
                try contents.visitObjects(of: type.code) {
                    found.append($0); return true
                }
                if type.kind == .correlation { try contents.fillMembers(of: &found) }
                for object in found { objects[PlainObject(object, contents.dictionaries), default: 0] += 1 }
            }
            profile = contents.profile
            importMetadata = contents.importMetadata
            importMetadata["exportDate"] = nil
        }
    }

    /// The parts that an archive without a supplement can hold: dates in whole seconds, sources by name and version,
    /// and metadata as read from text.
    var asArchived: StoreImage {
        var image = self
        image.samples = [:]
        image.objects = [:]
        for (sample, count) in samples { image.samples[Self.archived(sample), default: 0] += count }
        for (object, count) in objects {
            var object = object
            object.start = object.start.rounded(.down)
            object.end = object.end.rounded(.down)
            object.creation = object.creation.map { $0.rounded(.down) }
            object.revision = Self.archived(object.revision, object.device)
            object.metadata = Self.archived(object.metadata)
            object.body = Self.archived(object.body)
            object.members = object.members.reduce(into: [:]) { $0[Self.archived($1.key), default: 0] += $1.value }
            image.objects[object, default: 0] += count
        }
        image.importMetadata = [:]
        return image
    }

    private static func archived(_ sample: PlainSample) -> PlainSample {
        var sample = sample
        sample.start = sample.start.rounded(.down)
        sample.end = sample.end.rounded(.down)
        sample.creation = sample.creation.map { $0.rounded(.down) }
        sample.revision = archived(sample.revision, sample.device)
        sample.metadata = archived(sample.metadata)
        return sample
    }

    private static func archived(_ revision: SourceRevisionRecord?, _ device: DeviceRecord?) -> SourceRevisionRecord? {
        revision.map { SourceText.revision(name: $0.source.name, version: $0.version, device: device) }
    }

    private static func archived(_ metadata: Metadata) -> Metadata {
        Metadata(
            metadata.entries.filter { $0.key != DurationWriter.key && !$0.key.hasPrefix(MetadataKey.seriesPrefix) }
                .map { MetadataText.parse(key: $0.key, text: MetadataValueText.text($0)) })
    }

    private static func archived(_ body: ObjectBody) -> ObjectBody {
        guard case .workout(var workout) = body else { return body }
        func event(_ event: WorkoutBody.Event) -> WorkoutBody.Event {
            let start = event.start.rounded(.down)
            // Ends are given by durations; a microsecond more or less is the price of a decimal number.
            let end = ((start + (event.end - event.start)) * 1e3).rounded() / 1e3
            return .init(type: event.type, start: start, end: end, metadata: archived(event.metadata))
        }
        func statistics(_ statistics: WorkoutBody.Statistics) -> WorkoutBody.Statistics {
            var statistics = statistics
            statistics.start = statistics.start.rounded(.down)
            statistics.end = statistics.end.rounded(.down)
            return statistics
        }
        workout.events = workout.events.map(event)
        workout.statistics = workout.statistics.map(statistics)
        workout.activities = workout.activities.map { activity in
            var activity = activity
            activity.start = activity.start.rounded(.down)
            activity.end = activity.end.map { $0.rounded(.down) }
            activity.events = activity.events.map(event)
            activity.statistics = activity.statistics.map(statistics)
            activity.metadata = archived(activity.metadata)
            return activity
        }
        return .workout(workout)
    }

    /// The first differences, for a message.
    func difference(from other: StoreImage) -> [String] {
        func lines<Key: Hashable>(_ one: [Key: Int], _ two: [Key: Int], _ sign: String) -> [String] {
            one.filter { two[$0.key] != $0.value }.prefix(3).map { "\(sign) \($0.value) × \($0.key)" }
        }
        return lines(samples, other.samples, "-") + lines(other.samples, samples, "+")
            + lines(objects, other.objects, "-") + lines(other.objects, objects, "+")
            + (profile == other.profile ? [] : ["profile"])
            + (importMetadata == other.importMetadata ? [] : ["importMetadata"])
    }
}
