import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// A kind of data of Google Fit and the mapping of its first value.
enum GoogleFitDataType {
    /// A sum over a period.
    case sum(MeasuredType)
    /// A value at a moment, as that of a drink, and the number by which it is divided.
    case measurement(MeasuredType, Double)
    case sleep
    case bloodPressure
    /// The activity of the person.
    case activity
}

/// A stream of Google Fit, such as `derived:com.google.step_count.delta:com.google.android.gms:merge_step_deltas`.
struct GoogleFitStream: Hashable, Sendable {
    /// `com.google.step_count.delta`.
    let type: Substring
    /// Whether it was merged by Google of all others of its type, so that it has every moment once.
    let isMerged: Bool
    let isRestingHeartRate: Bool

    init?(_ name: String) {
        let parts = name.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "raw" || parts[0] == "derived" else { return nil }
        type = parts[1]
        let isGoogle = parts[0] == "derived" && parts[2].hasPrefix("com.google.android.gms:")
        let stream = parts[2].split(separator: ":").last ?? ""
        isRestingHeartRate = isGoogle && stream.hasPrefix("resting_heart_rate")
        isMerged = isGoogle && stream.hasPrefix("merge")
    }

    /// The name at the beginning of a file, `{"Data Source": "derived:…`.
    init?(head: some Collection<UInt8>) {
        let text = String(decoding: head.prefix(1_024), as: UTF8.self)
        guard let name = text.firstMatch(of: /"Data Source"\s*:\s*"([^"]*)"/) else { return nil }
        self.init(String(name.1))
    }
}

extension GoogleTakeoutReader {
    /// Reads a stream of points, unless Google merged those of its type into one.
    mutating func readFitData(
        _ reader: consuming JSONReader, into content: inout FileContent, _ emit: Emit
    ) throws {
        var json = reader
        var points = GoogleFitPoints(sports: sports)
        try json.object { json, name in
            switch name {
            case "Data Source":
                let stream = try json.string()
                points.stream = GoogleFitStream(stream)
                points.origin = stream
                points.isCovered =
                    points.stream.map { mergedTypes.contains($0.type) && !$0.isMerged && !$0.isRestingHeartRate }
                    ?? false
            case "Data Points":
                var rows = JSONRows()
                try json.array { json, _ in
                    if try json.read(&rows) {
                        points.add(rows, into: &content)
                    } else {
                        points.add(try json.value(), into: &content)
                    }
                    guard points.count >= Self.largest else { return }
                    content.series += points.takeSeries()
                    try emit(content)
                    content = FileContent()
                }
            default: try json.skip()
            }
        }
        content.series += points.takeSeries()
        for night in points.nights { sleeps.add(night.start, night.end) }
        sports = points.sports
        try json.end()
    }
}

/// Makes samples of the points of a stream.
private struct GoogleFitPoints {
    var stream: GoogleFitStream?
    /// The name of the stream, which is the origin of points that name none.
    var origin = ""
    /// Whether another stream has the points of this one.
    var isCovered = false
    private(set) var count = 0
    private(set) var nights: [(start: Double, end: Double)] = []
    /// When a sport was done whose distance isn't one on foot.
    private(set) var sports: [MeasuredType: Periods]
    private var series: [String: SampleSeries] = [:]
    private var origins: [String: SampleOrigin] = [:]

    init(sports: [MeasuredType: Periods]) {
        self.sports = sports
    }

    mutating func takeSeries() -> [SampleSeries] {
        defer { (series, count) = ([:], 0) }
        return series.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func add(_ rows: JSONRows, into content: inout FileContent) {
        let (names, bytes) = (rows.form.names, rows.bytes)
        func places(_ suffixes: String...) -> [Int] { names.indices.filter { suffixes.contains(names[$0]) } }
        let values = places("fitValue.value.fpVal", "fitValue.value.intVal")
        let (starts, ends) = (rows.form.place(of: "startTimeNanos"), rows.form.place(of: "endTimeNanos"))
        let (types, sources) = (rows.form.place(of: "dataTypeName"), rows.form.place(of: "originDataSourceId"))
        rows.withSpans { spans in
            for row in 0..<rows.count {
                func text(_ place: Int?) -> UnsafeBufferPointer<UInt8>? {
                    place.map { place in
                        let span = spans[row * names.count + place]
                        return UnsafeBufferPointer(rebasing: bytes[span.start..<(span.start + span.count)])
                    }
                }
                func string(_ place: Int?) -> String? { text(place).map { String(decoding: $0, as: UTF8.self) } }
                add(
                    type: string(types), source: string(sources), start: text(starts).flatMap(Self.date),
                    end: text(ends).flatMap(Self.date),
                    values.compactMap { text($0).flatMap(DecimalText.value) }, into: &content)
            }
        }
    }

    mutating func add(_ point: JSONValue, into content: inout FileContent) {
        func date(_ name: String) -> Double? {
            guard let value = point[name] else { return nil }
            if var text = value.text { return text.withUTF8(Self.date) }
            return value.number.map { $0 / 1e9 - Self.epoch }
        }
        let values = (point["fitValue"]?.elements ?? []).compactMap { element -> Double? in
            (element["value"]?["fpVal"] ?? element["value"]?["intVal"])?.number
        }
        add(
            type: point["dataTypeName"]?.text, source: point["originDataSourceId"]?.text, start: date("startTimeNanos"),
            end: date("endTimeNanos"), values, into: &content)
    }

    /// The seconds from 1970, where times of Google Fit begin, to 2001.
    private static let epoch = 978_307_200.0

    /// A date in nanoseconds since 1970, exact to the microsecond.
    private static func date(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let nanoseconds = Int64(String(decoding: text, as: UTF8.self)), nanoseconds > 0 else { return nil }
        return Double(nanoseconds / 1_000 - Int64(epoch) * 1_000_000) / 1e6
    }

    private mutating func add(
        type: String?, source: String?, start: Double?, end: Double?, _ values: [Double],
        into content: inout FileContent
    ) {
        let name = type.map { Substring($0) } ?? stream?.type ?? ""
        guard !isCovered else { return content.leaveOut("point that a merged stream of Google Fit has") }
        guard let kind = GoogleFitDataType.all[name] else {
            let what = name.hasPrefix("com.google.") ? String(name.dropFirst("com.google.".count)) : "unknown"
            return content.leaveOut("point of Google Fit of type \(what)")
        }
        guard let end, let value = values.first, value.isFinite, value > 0, let start = start.map({ min($0, end) })
        else {
            // Zero is what didn't happen.
            return values.first == 0 ? () : content.leaveOut("point of Google Fit without a time or value")
        }
        let samples = origin(source?.isEmpty ?? true ? origin : source ?? origin)
        switch kind {
        case .sum(let type):
            guard end > start else { return content.leaveOut("point of Google Fit without a time or value") }
            append(type == .distanceOnFoot ? distance(from: start, to: end) : type, value, start, end, samples)
        case .activity:
            content.leaveOut("point of Google Fit of type activity.segment")
            if let type = GoogleFitDataType.activities[value].flatMap(MeasuredType.distance(of:)) {
                sports[type, default: Periods()].add(start, end)
            }
        case .measurement(let type, let divisor):
            if stream?.isRestingHeartRate ?? false {
                append(.restingHeartRate, value, start, end, samples)
            } else {
                append(type, value / divisor, end, end, samples)
            }
        case .sleep:
            let stages: [Double: SleepValue] = [1: .awake, 2: .asleep, 3: .awake, 4: .core, 5: .deep, 6: .rem]
            guard let stage = stages[value], end > start else {
                return content.leaveOut("stage of sleep without times or of an unknown kind")
            }
            if let last = nights.last, start >= last.start, start - last.end < 3_600 {
                nights[nights.count - 1].end = max(last.end, end)
            } else {
                nights.append((start, end))
            }
            content.samples.append(samples.sleep(stage, start, end))
        case .bloodPressure:
            guard values.count > 1, values[1] > 0 else {
                return content.leaveOut("point of Google Fit without a time or value")
            }
            content.objects.append(samples.bloodPressure(value, values[1], end, end))
        }
    }

    /// The type of a distance: that of the sport which was done in the middle of a period.
    private func distance(from start: Double, to end: Double) -> MeasuredType {
        sports.first { $0.value.contains((start + end) / 2) }?.key ?? .distanceOnFoot
    }

    private mutating func append(
        _ type: MeasuredType, _ value: Double, _ start: Double, _ end: Double, _ samples: SampleOrigin
    ) {
        let key = "\(type.identifier) \(samples.revision.source.bundleIdentifier)"
        series[key, default: SampleSeries(type, samples)].append(value, start, end)
        count += 1
    }

    private mutating func origin(_ name: String) -> SampleOrigin {
        if let known = origins[name] { return known }
        let samples = GoogleOrigin.fit(stream: name)
        origins[name] = samples
        return samples
    }
}

// MARK: - Sessions

extension GoogleTakeoutReader {
    /// Reads a workout or a night, which count if no other file has them in more detail.
    mutating func readFitSession(_ session: JSONValue, into content: inout FileContent) {
        let instants = LocalClock(timeZone: timeZone)
        guard let activity = session["fitnessActivity"]?.text,
            let start = session["startTime"]?.text.flatMap(instants.instant),
            let end = session["endTime"]?.text.flatMap(instants.instant), end > start, end - start < 31 * 86_400
        else { return content.leaveOut("session without an activity or times") }
        let application = session["application"]?["packageName"]?.text ?? session["packageName"]?.text
        let samples = GoogleOrigin.fit(stream: "raw:session:\(application ?? "")")
        if activity.lowercased().hasPrefix("sleep") {
            let stages = (session["segment"]?.elements ?? []).compactMap { segment -> SampleRecord? in
                guard let first = segment["startTime"]?.text.flatMap(instants.instant),
                    let last = segment["endTime"]?.text.flatMap(instants.instant), last > first,
                    let stage = Self.stage(of: segment["fitnessActivity"]?.text ?? activity)
                else { return nil }
                return samples.sleep(stage, first, last)
            }
            return fitNights.append((start, end, stages.isEmpty ? [samples.sleep(.asleep, start, end)] : stages))
        }
        var workout = GoogleWorkout(activity: activity, start, end, samples)
        workout.duration = session["duration"]?.text.flatMap { $0.hasSuffix("s") ? Double($0.dropLast()) : nil }
            .flatMap { $0.isFinite ? $0 : nil }
        for figure in session["aggregate"]?.elements ?? [] {
            let value = (figure["floatValue"] ?? figure["intValue"])?.number.flatMap { $0 > 0 ? $0 : nil }
            switch figure["metricName"]?.text {
            case "com.google.calories.expended": workout.energy = value
            case "com.google.distance.delta": workout.distance = value
            case "com.google.step_count.delta": workout.steps = value
            case "com.google.heart_rate.summary": workout.heartRate = value
            default: break
            }
        }
        if let type = workout.distanceType, type != .distanceOnFoot {
            sports[type, default: Periods()].add(start, end)
        }
        fitWorkouts.append(workout)
    }

    /// A stage as the parts of a night name it: `sleep`, `sleep.awake`.
    private static func stage(of activity: String) -> SleepValue? {
        activity == "sleep" ? .asleep : activity.split(separator: ".").last.flatMap { SleepValue(called: String($0)) }
    }

    /// Adds a night unless a stream has its stages.
    mutating func addFitNight(
        _ night: (start: Double, end: Double, stages: [SampleRecord]), into content: inout FileContent
    ) {
        guard !sleeps.contains(night.start, night.end) else {
            return content.leaveOut("night of which a stream of Google Fit has the stages")
        }
        sleeps.add(night.start, night.end)
        content.samples += night.stages
    }
}
