import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthPages
import HealthImport
import HealthStorage
import HealthStorageSQLite
import HealthWatcher

/// The files of one tortured store.
struct TorturePlace: Sendable {
    static let device = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    /// A folder that survives everything.
    let folder: String

    /// The store, in a separate folder: what is synced there is only what the store syncs.
    var store: String { folder + "/disk/health.sqlite" }
    var state: String { folder + "/state.json" }
    var model: String { folder + "/model.json" }
    var watched: String { folder + "/watched" }
    var journal: String { folder + "/journal" }
    var count: String { folder + "/count" }
    var errors: String { folder + "/errors" }

    func log(_ round: Int, _ thread: Int) -> String { "\(folder)/log-\(round)-\(thread)" }
}

/// The findings after a kill, in one line of JSON.
struct TortureFindings: Codable {
    var acknowledged = 0
    /// Acknowledged operations that aren't there.
    var lost = 0
    /// Operations without an acknowledgement of which a part is there.
    var halfDone = 0
    /// Changes that a watcher didn't get, or got twice.
    var missed = 0
    var repeated = 0
    /// Anything else that must not be.
    var problems: [String] = []

    var isSound: Bool { lost == 0 && halfDone == 0 && missed == 0 && repeated == 0 && problems.isEmpty }

    static func += (left: inout TortureFindings, right: TortureFindings) {
        left.acknowledged += right.acknowledged
        left.lost += right.lost
        left.halfDone += right.halfDone
        left.missed += right.missed
        left.repeated += right.repeated
        left.problems += right.problems
    }
}

/// The contents that a store must have, kept from kill to kill, and the comparison with those that it has.
struct TortureModel: Codable {
    private struct Batch: Codable {
        /// The samples, or the number of glasses of water of an import.
        var uuids: [UUID] = []
        var water = 0
        var mayBeDeleted = false
        /// Whether it is there; `nil` if an operation on it wasn't acknowledged.
        var isPresent: Bool?
    }

    /// The batches of the two threads, by operation.
    private var batches: [[Int: Batch]] = [[:], [:]]
    /// The sample or object that was given each number, as far as it was seen.
    private var numbers: [Int64: String] = [:]
    private var greatestAcknowledged: Int64 = 0
    private var state = TortureState()

    static func read(_ place: TorturePlace) throws -> TortureModel {
        guard FileManager.default.fileExists(atPath: place.model) else { return TortureModel() }
        return try JSONDecoder().decode(TortureModel.self, from: Data(contentsOf: URL(fileURLWithPath: place.model)))
    }

    func write(_ place: TorturePlace) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: place.model), options: .atomic)
        try state.write(place.state)
    }

    // MARK: What was acknowledged

    /// Reads the witnesses of a round.
    mutating func replay(_ place: TorturePlace, round: Int, _ findings: inout TortureFindings) {
        for thread in 0...1 {
            var open: [Substring]?
            for line in TortureWitness.lines(place.log(round, thread)) {
                let words = line.split(separator: " ")
                switch words.first {
                case "begin": open = words
                case "ack":
                    findings.acknowledged += 1
                    greatestAcknowledged = max(greatestAcknowledged, Int64(words[2]) ?? 0)
                    if let begun = open { apply(begun, thread, isAcknowledged: true) }
                    open = nil
                default:
                    if let begun = open { apply(begun, thread, isAcknowledged: false) }
                    open = nil
                }
            }
            if let begun = open { apply(begun, thread, isAcknowledged: false) }
        }
    }

    private mutating func apply(_ words: [Substring], _ thread: Int, isAcknowledged: Bool) {
        func uuids(_ word: Substring) -> [UUID] {
            word.split(separator: ",").compactMap { UUID(uuidString: String($0)) }
        }
        guard let operation = Int(words[1]) else { return }
        state.next[thread] = operation + 1
        switch words[2] {
        case "save", "keep":
            batches[thread][operation] = Batch(
                uuids: uuids(words[3]), mayBeDeleted: words[2] == "save", isPresent: isAcknowledged ? true : nil)
        case "delete":
            guard let victim = Int(words[3]) else { return }
            batches[thread][victim]?.isPresent = isAcknowledged ? false : nil
            batches[thread][victim]?.mayBeDeleted = false
        case "import":
            batches[thread][operation] = Batch(water: Int(words[3]) ?? 0, isPresent: isAcknowledged ? true : nil)
        default:
            let first = Int(words[4]) ?? 0
            let wasThere = batches[thread][first]?.isPresent == true
            batches[thread][first] = Batch(uuids: uuids(words[5]), isPresent: isAcknowledged || wasThere ? true : nil)
            if isAcknowledged {
                state.delivered = Int(words[3]) ?? 0
                // One that wasn't acknowledged is sent again, in whichever round.
                state.pendingDelivery = nil
            } else {
                (state.pendingDelivery, state.pendingOperation) = (uuids(words[5]), first)
            }
        }
    }

    // MARK: What is there

    /// Compares a store with the model, which then follows the store where an operation wasn't acknowledged.
    mutating func compare(_ storage: any HealthStorage, _ findings: inout TortureFindings) throws {
        let (found, last) = try storage.read { (try Self.samples(in: $0), try $0.lastSequence()) }
        if last < greatestAcknowledged {
            findings.problems.append("The last number is \(last), but \(greatestAcknowledged) was acknowledged.")
        }
        for (number, owner) in found.numbers {
            if number > last { findings.problems.append("Number \(number) was never taken.") }
            if let previous = numbers.updateValue(owner, forKey: number), previous != owner {
                findings.problems.append("Number \(number) was given twice.")
            }
        }
        if found.hasDuplicates { findings.problems.append("A number is used twice.") }
        var known: Set<UUID> = []
        for thread in 0...1 {
            for (operation, batch) in batches[thread] {
                known.formUnion(batch.uuids)
                let count =
                    batch.water > 0 ? found.water[operation + 1] ?? 0 : batch.uuids.filter(found.uuids.contains).count
                let whole = batch.water > 0 ? batch.water : batch.uuids.count
                if let isPresent = batch.isPresent {
                    if count != (isPresent ? whole : 0) {
                        findings.lost += 1
                        findings.problems.append(
                            "Operation \(operation) of thread \(thread): \(count) of \(whole) are there, \(isPresent ? whole : 0) should be."
                        )
                    }
                } else if count != 0, count != whole {
                    findings.halfDone += 1
                }
                batches[thread][operation]?.isPresent = count == whole
            }
        }
        let strangers = found.uuids.subtracting(known).count
        if strangers > 0 { findings.problems.append("\(strangers) samples were never saved.") }
        state.deletable = batches[0].filter { $1.mayBeDeleted && $1.isPresent == true }.mapValues(\.uuids)
    }

    private struct Found {
        var uuids: Set<UUID> = []
        var water: [Int: Int] = [:]
        var numbers: [Int64: String] = [:]
        var hasDuplicates = false

        mutating func add(_ number: Int64, _ owner: String) {
            if numbers.updateValue(owner, forKey: number) != nil { hasDuplicates = true }
        }
    }

    private static func samples(in snapshot: any StorageSnapshot) throws -> Found {
        var found = Found()
        let water = TypeCatalog.description(for: "HKQuantityTypeIdentifierDietaryWater")?.code
        for type in try snapshot.typesInUse() {
            try snapshot.visitPages(of: type, in: .all, bodies: true) { view in
                let page = try PageReader(header: PageHeader(decoding: view.header), body: view.body).read(.all)
                for row in page.starts.indices {
                    if type == water { found.water[Int(page.values[row]), default: 0] += 1 }
                    let uuid = page.uuids.isEmpty ? nil : page.uuids[row]
                    if let uuid { found.uuids.insert(uuid) }
                    found.add(
                        page.sequences[row], uuid?.uuidString ?? "\(type) \(page.starts[row]) \(page.values[row])")
                }
                return true
            }
            try snapshot.visitObjects(of: type, in: .all) { object in
                if let uuid = object.uuid { found.uuids.insert(uuid) }
                found.add(object.sequence, object.uuid?.uuidString ?? "object")
                return true
            }
        }
        try snapshot.visitTombstones(after: 0, types: nil) { tombstone in
            found.add(tombstone.sequence, "deletion of \(tombstone.uuid)")
            return true
        }
        return found
    }
}

/// The program that opens the store after a kill.
enum TortureCheck {
    static func run(_ place: TorturePlace, round: Int) async throws -> TortureFindings {
        var findings = TortureFindings()
        var model = try TortureModel.read(place)
        model.replay(place, round: round, &findings)
        let engine = try HealthEngine(storage: SQLiteStorage(path: place.store))
        // What hk doctor does.
        findings.problems += try engine.storage.findDamage() + engine.check()
        _ = try engine.profile.read()
        _ = try engine.authorization.applications()
        try model.compare(engine.storage, &findings)
        try await compareWatcher(place, &findings)
        try model.write(place)
        return findings
    }

    /// Lets the watcher continue to the end, and compares what it got with what is there.
    private static func compareWatcher(_ place: TorturePlace, _ findings: inout TortureFindings) async throws {
        let store = TortureSamples.store(place.store)
        let anchors = try WitnessAnchors(place.watched)
        let watcher = HealthWatcher(
            store: store, types: TortureSamples.types, anchors: anchors, firstRun: .deliver, pageSize: 70)
        try await watcher.run(follows: false) { anchors.record($0) }
        var there: Set<Substring> = []
        let all = HealthWatcher(
            store: store, types: TortureSamples.types, anchors: MemoryAnchorStore(), firstRun: .deliver)
        try await all.run(follows: false) { change in there.formUnion(change.addedSamples.map { "\($0.uuid)"[...] }) }
        var (seen, mirror): (Set<Substring>, Set<Substring>) = ([], [])
        for word in WitnessAnchors.delivered(place.watched) {
            if !seen.insert(word).inserted { findings.repeated += 1 }
            if word.hasPrefix("+") { mirror.insert(word.dropFirst()) } else { mirror.remove(word.dropFirst()) }
        }
        findings.missed += there.symmetricDifference(mirror).count
    }
}
