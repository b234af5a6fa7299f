import Foundation
@testable import HealthImport
import HealthModel
import HealthStorage

@testable import HealthBackup
@testable import HealthEngine
@testable import HealthServer

/// Files that the project itself wrote and reads again: lists of backups, settings of a store, the file of tokens.
enum StateTargets {
    static let all = [
        FuzzTarget(
            name: "manifest", examples: { [Array(manifest.utf8)] },
            words: ["file ", "sequence ", "store ", "created ", "sha256 ", "-wal", "../", "\n"]
        ) {
            try manifest($0)
        },
        FuzzTarget(
            name: "settings", examples: { settings.map { Array("\($0.0)\n\($0.1)".utf8) } }, words: words,
            mutations: 1_000
        ) { try settings($0) },
    ]

    private static let words = [
        "null", "true", "{", "}", "[", "]", ",", "\"misses\":", "\"deadline\":", "\"acknowledged\":", "\"types\":",
        "\"deliveries\":", "1e308",
        "9223372036854775807", "-9223372036854775808", "\"year\":",
    ]

    // MARK: Backups

    private static let manifest = """
        created 2025-11-16T17:00:00Z
        store 5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01
        sequence 17
        file 70000 \n\(String(repeating: "a", count: 64))
        \(String(repeating: "0123456789abcdef", count: 4))

        """

    /// The lines between the heading and the hash, which is made right.
    private static func manifest(_ input: [UInt8]) throws {
        let text = "OpenHealthKit backup 1\n" + String(decoding: input, as: UTF8.self)
        let whole = text + "sha256 \(BackupManifest.hash(Data(text.utf8)))\n"
        do {
            let manifest = try BackupManifest(name: "2025-11-16T170000Z", text: whole)
            // The sum of sizes, which a restore asks for.
            _ = manifest.size
            let again = try BackupManifest(name: manifest.name, text: manifest.text)
            try FuzzFailure.unless(again == manifest, "a manifest changed")
        } catch {
            try FuzzFailure.unless(error is BackupError, "\(error)")
        }
        _ = BackupManifest.instant(of: String(text.dropFirst(23).prefix(18)))
    }

    // MARK: Settings

    private static let settings = [
        (
            "backgroundDelivery",
            #"{"registrations":{"HKQuantityTypeIdentifierStepCount":{"frequency":1,"acknowledged":5,"isSuspended":false,"lastDelivered":1.5}},"deliveries":[{"id":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","types":{"HKQuantityTypeIdentifierStepCount":9},"misses":1,"deadline":10,"timeLimit":30}],"target":{"program":{"path":"/bin/true","arguments":["a"]}}}"#
        ),
        (
            "profile",
            #"{"dateOfBirth":{"year":1980,"month":6,"day":12},"biologicalSex":1,"preferredUnits":{"a":"kg"},"goals":[{"from":{"year":2024,"month":1,"day":1},"moveEnergy":500}]}"#
        ),
        ("sourceOrder", #"{"order":["a","b"],"disabled":["c"]}"#), ("authorization/app", #"{"share":1,"read":2}"#),
        ("engine", "17"),
        (
            "deliveries",
            #"{"last":{"device":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","name":"a","sequence":3,"acknowledged":2},"date":1,"firstDate":0,"outcome":{"added":1,"updated":0,"unchanged":0,"deleted":0,"rejected":{}},"added":5,"deleted":1}"#
        ),
    ]

    /// A namespace, and a value under every key that is read there.
    private static func settings(_ input: [UInt8]) throws {
        let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        guard parts.count == 2 else { return }
        let namespace = String(decoding: parts[0], as: UTF8.self)
        let storage = InMemoryStorage()
        let engine = try HealthEngine(storage: storage, configuration: EngineConfiguration(now: { 792_000_000 }))
        let steps = TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")!.code
        try engine.save(
            [.sample(SampleRecord(type: steps, start: 0, end: 1, value: 1, unit: "count"))], as: TextTargets.caller)
        let device = UUID(
            uuid: (0x5E, 0x0C, 0x1B, 0x53, 0x9B, 0x0E, 0x4C, 0x69, 0x8F, 0x5D, 0x0E, 0x4B, 0x0F, 0x0E, 0x0A, 0x01))
        try storage.write { transaction in
            for key in ["app", "profile", "\(steps.rawValue)", "settingsGeneration", "person", device.uuidString] {
                try transaction.setValue(Array(parts[1]), namespace: namespace, key: key)
            }
        }
        func attempt(_ body: () throws -> Void) throws {
            do {
                try body()
            } catch {
                try FuzzFailure.unless(
                    error is StorageError || error is EngineError || error is ValidationError
                        || error is SyncOrderError,
                    "an error without a type of its own: \(error)")
            }
        }
        try attempt {
            let plan = try engine.backgroundDelivery.begin { _ in 30 }
            for attempt in plan.begun + plan.expired {
                try engine.backgroundDelivery.finish(attempt.delivery.id, of: attempt.bundleIdentifier, .missed)
            }
            _ = try engine.backgroundDelivery.applications()
        }
        try attempt {
            try engine.backgroundDelivery.setFrequency(2, of: "HKQuantityTypeIdentifierStepCount", for: "app")
        }
        try attempt {
            let profile = try engine.profile.read()
            _ = profile.goals(on: .init(year: 2024, month: 2, day: 1))
        }
        try attempt { try engine.profile.update { $0.bloodType = 1 } }
        try attempt {
            _ = (try engine.sources.order(of: steps), try engine.authorization.decisions(bundleIdentifier: "app"))
        }
        try attempt {
            _ = (
                try engine.deliveries(), try engine.imports.metadata(), try engine.imports.knownArchive(),
                try engine.workoutSession.active()
            )
        }
        try attempt {
            let header = SyncBatchHeader(device: device, name: "a", sequence: 4, acknowledged: 3)
            _ = try engine.receive(ReceivedChanges(), header, as: .person)
        }
        try attempt { _ = try engine.check() }
    }
}
