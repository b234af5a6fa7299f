import Foundation
import HealthKit
import HealthWatcher
import Synchronization

/// A file beside the store, on a disk that doesn't fail, with what was acknowledged to a writer: each line is on it
/// when the call returns.
final class TortureWitness: Sendable {
    private let file: Int32
    private let path: String

    init(_ path: String) throws {
        self.path = path
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw TortureFailure("\(path) can’t be written.") }
    }

    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            fatalError("\(path) can’t be written.")
        }
    }

    /// The complete lines of a witness; none if there is no file.
    static func lines(_ path: String) -> [Substring] {
        guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
        // What follows the last line feed was truncated.
        return Array(
            String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast())
    }
}

/// The anchors of a watcher, in one line with the change that they follow: both are kept, or neither.
final class WitnessAnchors: AnchorStore {
    private let path: String
    private let pending = Mutex("")

    /// Removes a truncated line.
    init(_ path: String) throws {
        self.path = path
        let kept = TortureWitness.lines(path).reduce(0) { $0 + $1.utf8.count + 1 }
        if FileManager.default.fileExists(atPath: path), truncate(path, off_t(kept)) != 0 {
            throw TortureFailure("\(path) can’t be written.")
        }
    }

    /// Records a change, which is written with the next anchor.
    func record(_ change: HealthChange) {
        let words = change.addedSamples.map { "+\($0.uuid)" } + change.deletedObjects.map { "-\($0.uuid)" }
        pending.withLock { $0 = words.joined(separator: " ") }
    }

    func load() throws -> [String: HKQueryAnchor] {
        guard let word = TortureWitness.lines(path).last?.split(separator: " ").first else { return [:] }
        var anchors: [String: HKQueryAnchor] = [:]
        for part in word.split(separator: ";") {
            let pair = part.split(separator: ":")
            guard pair.count == 2, let data = Data(base64Encoded: String(pair[1])) else {
                throw TortureFailure("\(path) can’t be read.")
            }
            anchors[String(pair[0])] = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
        }
        return anchors
    }

    func save(_ anchors: [String: HKQueryAnchor]) throws {
        let parts = try anchors.sorted { $0.key < $1.key }.map { type, anchor in
            let data = try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
            return "\(type):\(data.base64EncodedString())"
        }
        let words = pending.withLock { $0 }
        try TortureWitness(path).write("\(parts.joined(separator: ";")) \(words)")
    }

    /// Everything that was delivered, in order: `+` or `-` and a UUID.
    static func delivered(_ path: String) -> [Substring] {
        TortureWitness.lines(path).flatMap { $0.split(separator: " ").dropFirst() }
    }
}

/// The state with which a writer begins: the results of the rounds before.
struct TortureState: Codable {
    /// The number of the next operation of each of the two threads.
    var next = [0, 0]
    /// Batches that may be deleted, by the number of their operation.
    var deletable: [Int: [UUID]] = [:]
    /// The number of the last delivery that is stored, and the delivery whose acknowledgement was lost.
    var delivered = 0
    var pendingDelivery: [UUID]?
    var pendingOperation: Int?

    static func read(_ path: String) throws -> TortureState {
        try JSONDecoder().decode(TortureState.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func write(_ path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}

/// An error of the torture itself, or of an operation that should have succeeded.
struct TortureFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The samples that the operations are made of.
enum TortureSamples {
    static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    static let types: Set<HKSampleType> = [
        HKQuantityType(.heartRate), HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
        HKCorrelationType(.bloodPressure), HKCategoryType(.sleepAnalysis), HKQuantityType(.dietaryWater),
        HKQuantityType(.stepCount),
    ]

    static func store(_ path: String) -> HKHealthStore {
        HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .file(URL(fileURLWithPath: path)),
                application: HKHealthStore.Configuration.Application(bundleIdentifier: "org.example.torture"),
                authorization: .allowAll))
    }

    static func date(_ operation: Int, _ index: Int) -> Date {
        start + Double(operation) * 60 + Double(index % 60)
    }

    static func heartRates(_ operation: Int, count: Int) -> [HKSample] {
        (0..<count).map { index in
            let date = date(operation, index)
            return HKQuantitySample(
                type: HKQuantityType(.heartRate),
                quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: Double(50 + index % 90)),
                start: date, end: date)
        }
    }

    static func nights(_ operation: Int, count: Int) -> [HKSample] {
        (0..<count).map { index in
            let date = date(operation, index)
            return HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepCore.rawValue,
                start: date, end: date + 30)
        }
    }

    static func bloodPressure(_ operation: Int) -> HKCorrelation {
        let date = date(operation, 0)
        let members = [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)].map {
            HKQuantitySample(
                type: $0, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 100), start: date, end: date)
        }
        return HKCorrelation(type: HKCorrelationType(.bloodPressure), start: date, end: date, objects: Set(members))
    }

    /// An archive with a number of glasses of water, each of which has the operation's number as its value.
    static func archive(_ operation: Int, count: Int) -> String {
        let dates = (0..<count).map { index in
            date(operation, index).ISO8601Format().replacingOccurrences(of: "T", with: " ").replacingOccurrences(
                of: "Z", with: " +0000")
        }
        let records = dates.map { date in
            "<Record type=\"HKQuantityTypeIdentifierDietaryWater\" sourceName=\"Bottle\" unit=\"mL\" creationDate=\"\(date)\" "
                + "startDate=\"\(date)\" endDate=\"\(date)\" value=\"\(operation + 1)\"/>"
        }
        return
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en_US\">\n<ExportDate value=\"2024-01-01 00:00:00 +0000\"/>\n"
            + records.joined(separator: "\n") + "\n</HealthData>\n"
    }
}
