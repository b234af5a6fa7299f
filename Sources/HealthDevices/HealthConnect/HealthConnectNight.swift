import HealthFormats
import HealthModel

/// A night of a source, which Health Connect has as a session with stages: a time in bed with what lies in it, or
/// stages that follow each other.
struct HealthConnectNight {
    private(set) var frame: HealthConnectWriter.Frame
    private(set) var stages: [(start: Double, end: Double, number: Int64)] = []
    private let isInBed: Bool

    /// Stages that follow each other later than this are two nights.
    private static let longestGap = 3_600.0

    /// Begins a night with a sample.
    init?(_ sample: SampleRecord, _ frame: HealthConnectWriter.Frame) {
        self.frame = frame
        isInBed = Int(sample.value) == SleepValue.inBed.rawValue
        guard !isInBed else { return }
        // The identity is that of the first stage.
        self.frame.suffix = HealthConnectReader.asleepSuffix
        guard add(sample) == .added else { return nil }
    }

    var start: Double { frame.start }

    enum Outcome {
        case added
        /// The sample belongs to the next night.
        case ended
        /// The night has another stage at the time, or Health Connect has no such stage.
        case refused
    }

    /// Adds a sample that doesn't begin before the last one.
    mutating func add(_ sample: SampleRecord) -> Outcome {
        guard Int(sample.value) != SleepValue.inBed.rawValue else { return .ended }
        let last = stages.last?.end
        if isInBed {
            guard sample.end <= frame.end else { return .ended }
        } else if let last, sample.start > last + Self.longestGap {
            return .ended
        }
        guard sample.start >= last ?? sample.start, sample.end > sample.start,
            let stage = HealthConnectTable.stages.first(where: { $0.value.rawValue == Int(sample.value) })
        else { return .refused }
        stages.append((sample.start, sample.end, stage.number))
        if !isInBed { frame.end = sample.end }
        return .added
    }
}

extension HealthConnectWriter {
    /// Adds a sample of sleep analysis to the night of its source, or begins the next one.
    mutating func addSleep(_ sample: SampleRecord) throws -> Bool {
        let source = sample.revision?.source
        switch nights[source]?.add(sample) {
        case .added: return true
        case .refused: return false
        case .ended, nil:
            if let night = nights.removeValue(forKey: source) { try add(night) }
            nights[source] = HealthConnectNight(sample, frame(sample))
            return nights[source] != nil
        }
    }

    /// Adds a night.
    mutating func add(_ night: HealthConnectNight) throws {
        let texts: [Column] = [("notes", .null), ("title", .null)]
        guard let record = try add("sleep_session_record_table", .period, night.frame, texts) else {
            return report.leaveOut("night", 1)
        }
        for stage in night.stages {
            guard let start = Self.milliseconds(stage.start), let end = Self.milliseconds(stage.end) else { continue }
            try database.insert(
                into: "sleep_stages_table",
                [
                    ("parent_key", .integer(record)), ("stage_start_time", .integer(start)),
                    ("stage_end_time", .integer(end)), ("stage_type", .integer(stage.number)),
                ])
        }
    }
}
