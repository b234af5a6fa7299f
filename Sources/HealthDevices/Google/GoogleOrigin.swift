import HealthModel

/// The sources of what Google's archives contain.
enum GoogleOrigin {
    /// What Fitbit's own files contain, which don't name a device.
    static let fitbit = DeviceSamples(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "google.fitbit", name: "Fitbit")),
        device: nil)

    /// A source as the tables name it: a device such as Charge 5, or a program.
    static func source(named name: String) -> DeviceSamples {
        guard !name.isEmpty else { return fitbit }
        return DeviceSamples(
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: "google.fitbit.\(name.lowercased())", name: name)),
            device: DeviceRecord(name: name))
    }

    /// The origin of a point of Google Fit, such as
    /// `raw:com.google.heart_rate.bpm:com.example.app:Google:Pixel 8:7f3a2b1c:stream`, in which the application or the
    /// device may be missing.
    static func fit(stream: String) -> DeviceSamples {
        let parts = stream.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var rest = parts.dropFirst(2)
        var application: String?
        if let first = rest.first, first.contains("."), !first.contains(" ") {
            application = String(rest.removeFirst())
        }
        let isDevice = rest.count >= 3
        let (maker, model, number) =
            isDevice ? (rest.removeFirst(), rest.removeFirst(), rest.removeFirst()) : ("", "", "")
        let device = [maker, model].filter { !$0.isEmpty }.joined(separator: " ")
        let name = device.isEmpty ? application ?? "Google Fit" : device
        let identifier = [application, device.isEmpty ? nil : device].compactMap(\.self).joined(separator: ".")
        return DeviceSamples(
            revision: SourceRevisionRecord(
                source: SourceRecord(
                    bundleIdentifier: identifier.isEmpty ? "google.fit" : "google.fit.\(identifier.lowercased())",
                    name: name), productType: model.isEmpty ? nil : model),
            device: device.isEmpty
                ? nil
                : DeviceRecord(
                    name: device, manufacturer: maker.isEmpty ? nil : maker, model: model.isEmpty ? nil : model,
                    localIdentifier: number.isEmpty ? nil : number))
    }
}

/// The hours of which there are samples of a type, by the stage in which they were read.
struct GoogleCoverage {
    private var hours: [GoogleFile.Stage: [TypeCode: Set<Int>]] = [:]

    static func hour(_ date: Double) -> Int { Int((date / 3_600).rounded(.down)) }

    mutating func add(_ type: DeviceType, hour: Int, at stage: GoogleFile.Stage) {
        hours[stage, default: [:]][type.code, default: []].insert(hour)
    }

    /// Whether something finer than a stage has samples of an hour.
    func has(_ type: DeviceType, hour: Int, before stage: GoogleFile.Stage) -> Bool {
        hours.contains { $0.key < stage && $0.value[type.code]?.contains(hour) == true }
    }

    /// Whether something finer than a stage has samples between two dates.
    func has(_ type: DeviceType, from start: Double, to end: Double, before stage: GoogleFile.Stage) -> Bool {
        (Self.hour(start)...max(Self.hour(start), Self.hour(end - 1))).contains { has(type, hour: $0, before: stage) }
    }
}

/// Periods of workouts or nights that are known, to leave out what describes them with less detail.
struct GooglePeriods {
    private var periods: [Int: [(start: Double, end: Double)]] = [:]

    mutating func add(_ start: Double, _ end: Double) {
        for day in Self.days(start, end) { periods[day, default: []].append((start, end)) }
    }

    /// Whether a known period shares at least half of the longer one's time.
    func contains(_ start: Double, _ end: Double) -> Bool {
        Self.days(start, end).contains { day in
            periods[day, default: []].contains { known in
                min(known.end, end) - max(known.start, start) >= 0.5 * max(known.end - known.start, end - start)
            }
        }
    }

    private static func days(_ start: Double, _ end: Double) -> ClosedRange<Int> {
        let first = Int(max(-1e10, min(1e10, start)) / 86_400)
        return first...max(first, min(first + 31, Int(max(-1e10, min(1e10, end)) / 86_400)))
    }
}
