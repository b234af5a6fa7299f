import Foundation
import HealthEngine
import HealthModel
import HealthTesting

/// Draws the things random programs are made of. Few distinct instants, values and identities, so that
/// they meet often.
struct RandomWorld {
    var random: SplitMix64

    static let callers = [Names.watch, Names.phone, Names.journal, Names.tracker]
    static let owner = Names.caller("org.example.owner", "Owner", permission: .owner)
    static let quantityTypes = [
        Names.steps, Names.energy, Names.mass, Names.temperature, Names.heartRate, Names.noise,
    ]
    static let sampleTypes = quantityTypes + [Names.sleep, Names.systolic, Names.diastolic]
    static let allTypes = sampleTypes + [Names.bloodPressure, Names.workout]
    static let devices: [DeviceRecord?] = [
        nil, DeviceRecord(name: "Scale", manufacturer: "Maker"), DeviceRecord(name: "Band"),
    ]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func oneIn(_ n: Int) -> Bool { random.oneIn(n) }
    mutating func pick<Element>(_ list: [Element]) -> Element { random.pick(list) }

    // MARK: Time

    /// The days around both clock changes of 2024 in Berlin.
    static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        guard let zone = TimeZone(identifier: "Europe/Berlin") else { fatalError("no Europe/Berlin") }
        calendar.timeZone = zone
        return calendar
    }()

    static func instant(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0) -> Double {
        let parts = DateComponents(year: year, month: month, day: day, hour: hour)
        guard let date = calendar.date(from: parts) else { fatalError("no such date") }
        return date.timeIntervalSinceReferenceDate
    }

    mutating func instant() -> Double {
        let day = pick([Self.instant(2024, 3, 30), Self.instant(2024, 10, 26)])
        let quarter = day + Double(int(0...(oneIn(3) ? 20 : 288))) * 900
        return oneIn(4) ? quarter + Double(int(0...9_000)) / 10 : quarter
    }

    mutating func duration() -> Double {
        switch int(0...9) {
        case 0...2: 0
        case 3...6: Double(int(1...6)) * 900
        case 7: Double(int(1...20_000)) / 8
        case 8: Double(int(1...600))
        default: 100_000
        }
    }

    /// Bucket bounds of one calendar unit over an extent, as the API layer cuts them.
    static func bounds(_ unit: Calendar.Component, _ step: Int, over extent: ClosedRange<Double>) -> [Double] {
        let anchor = instant(2024, 1, 1)
        var bounds: [Double] = []
        var index = 0
        while true {
            guard
                let date = calendar.date(
                    byAdding: unit, value: index * step, to: Date(timeIntervalSinceReferenceDate: anchor))
            else { return bounds }
            let bound = date.timeIntervalSinceReferenceDate
            if bound <= extent.lowerBound { bounds = [bound] } else { bounds.append(bound) }
            if bound > extent.upperBound { return bounds }
            index += 1
        }
    }

    mutating func buckets() -> StatisticsRequest.Buckets {
        switch int(0...8) {
        case 0...1: return .single
        case 2...4: return .bounds { Self.bounds(.day, 1, over: $0) }
        case 5: return .bounds { Self.bounds(.hour, 6, over: $0) }
        case 6: return .bounds { Self.bounds(.month, 1, over: $0) }
        case 7:
            // The length is understated, so that spring and autumn are separate stretches.
            return .intervals(length: 100) { stretches in
                stretches.reduce(into: []) { bounds, stretch in
                    let last = bounds.last ?? -.infinity
                    bounds += Self.bounds(.hour, 6, over: stretch).filter { $0 > last }
                }
            }
        default:
            let instants = Set((0..<int(2...12)).map { _ in instant() }).sorted()
            return oneIn(2) ? .instants(instants) : .bounds { _ in instants }
        }
    }

    // MARK: Samples

    mutating func sample(_ type: TypeCode? = nil) -> SampleRecord {
        let type = type ?? pick(Self.sampleTypes)
        let start = instant()
        let (value, unit) = quantity(of: type)
        return SampleRecord(
            uuid: oneIn(3) ? nil : random.uuid(), type: type, start: start, end: start + duration(), value: value,
            unit: unit, device: pick(Self.devices), metadata: metadata())
    }

    mutating func quantity(of type: TypeCode) -> (Double, String) {
        let value = oneIn(2) ? Double(int(0...20)) : Double(int(0...4_000)) / 16
        return switch type {
        case Names.steps: (value, "count")
        case Names.energy: (value, pick(["kcal", "kcal", "kJ"]))
        case Names.mass: (value, pick(["kg", "kg", "lb", "g"]))
        case Names.temperature: (30 + Double(int(0...12)), pick(["degC", "degC", "degF"]))
        case Names.heartRate: (60 + value, pick(["count/min", "count/min", "count/s"]))
        case Names.noise: (40 + Double(int(0...50)), "dBASPL")
        case Names.sleep: (Double(int(0...5)), "")
        default: (60 + Double(int(0...80)), "mmHg")
        }
    }

    private mutating func metadata() -> Metadata {
        var entries: [Metadata.Entry] = []
        if oneIn(5) { entries.append(.init(key: MetadataKey.wasUserEntered, value: .bool(!oneIn(3)))) }
        if oneIn(4) { entries.append(.init(key: "mood", value: .string(pick(["good", "bad"])))) }
        if oneIn(6) { entries.append(.init(key: "round", value: pick([.integer(1), .double(2), .date(3)]))) }
        return Metadata(entries)
    }

    /// Metadata that names one of a few sync identifiers.
    mutating func syncMetadata(_ identifier: Int) -> Metadata {
        Metadata([
            .init(key: MetadataKey.syncIdentifier, value: .string("sync \(identifier)")),
            .init(key: MetadataKey.syncVersion, value: .integer(Int64(int(1...5)))),
        ])
    }

    mutating func correlation() -> ObjectRecord {
        let start = instant()
        let members = [Names.systolic, Names.diastolic].map { type in
            var member = sample(type)
            (member.start, member.end) = (start, start)
            member.metadata = .empty
            return member
        }
        return ObjectRecord(
            uuid: random.uuid(), type: Names.bloodPressure, start: start, end: start,
            device: pick(Self.devices), metadata: metadata(), members: members)
    }

    mutating func workout() -> ObjectRecord {
        let start = instant()
        let end = start + duration()
        let distance = oneIn(2) ? nil : QuantityRecord(Double(int(1...20)), unit: pick(["km", "m"]))
        return ObjectRecord(
            uuid: random.uuid(), type: Names.workout, start: start, end: end, metadata: metadata(),
            body: .workout(
                WorkoutBody(
                    activityType: pick([37, 52]), duration: (end - start) / 2, totalDistance: distance)))
    }
}
