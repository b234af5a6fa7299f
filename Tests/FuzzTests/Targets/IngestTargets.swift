import Foundation
import HealthEngine
import HealthImport
import HealthJSON
import HealthModel
import HealthStorage
import HealthSync
import NIOCore

@testable import HealthFormats
@testable import HealthIngest
@testable import HealthServer

/// Documents that applications and devices send to the server. Each goes into an empty store, which is sound afterwards.
enum IngestTargets {
    static let all = [
        FuzzTarget(name: "auto-export", examples: { autoExports.map { Array($0.utf8) } }, words: words, mutations: 500)
        { try autoExport($0) },
        FuzzTarget(name: "shortcuts", examples: { shortcuts.map { Array($0.utf8) } }, words: words, mutations: 500) {
            try shortcuts($0)
        },
        FuzzTarget(name: "samples", examples: { samples.map { Array($0.utf8) } }, words: words, mutations: 500) {
            try samples($0)
        },
        FuzzTarget(name: "sync", examples: { batches.map { Array($0.utf8) } }, words: words, mutations: 300) {
            try sync($0)
        },
        FuzzTarget(name: "assistant", examples: { messages.map { Array($0.utf8) } }, words: words) { assistant($0) },
    ]

    private static let words = [
        "\"date\":", "\"qty\":", "\"value\":", "\"unit\":", "\"type\":", "\"start\":", "\"end\":", "\"uuid\":",
        "\"metadata\":", "\"data\":",
        "[", "]", "{", "}", ",", "null", "true", "\"\\ud800\"", "\\u0000", "1e999", "\"2026-02-06 14:30:00 +0000\"",
        "\"source\":", "\n",
        "\"0001-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59Z\"", "\"HKTimeZone\":", "\"members\":", "\"series\":",
    ]

    private static func store() throws -> HealthEngine {
        try HealthEngine(storage: InMemoryStorage(), configuration: EngineConfiguration(now: { 792_000_000 }))
    }

    private static func check(_ engine: HealthEngine) throws {
        let problems = try engine.check()
        try FuzzFailure.unless(problems.isEmpty, "the store isn’t sound: \(problems)")
    }

    private static func writer(_ engine: HealthEngine) -> IngestWriter {
        IngestWriter(
            engine: engine, caller: TextTargets.caller, application: TextTargets.caller.revision,
            replacesOtherKind: false,
            now: 792_000_000 + Date.timeIntervalBetween1970AndReferenceDate)
    }

    /// Errors that the server answers with its own status.
    private static func accept(_ error: any Error) throws {
        try FuzzFailure.unless(
            error is Problem || error is IngestBodyError || error is JSONSyntaxError || error is ValidationError
                || error is EngineError
                || error is StorageError
                || error is SyncOrderError, "an error without a type of its own: \(error)")
    }

    // MARK: Health Auto Export

    static let autoExports = [
        #"{"data":{"metrics":[{"name":"heart_rate","units":"bpm","data":[{"date":"2026-02-06 14:30:00 +0000","Min":1,"Avg":2,"Max":3,"source":"x"}]},{"name":"sleep_analysis","units":"hr","data":[{"date":"2026-02-06","totalSleep":1,"core":1,"sleepStart":"2026-02-06 01:00:00 +0000","sleepEnd":"2026-02-06 02:00:00 +0000"}]}]}}"#,
        #"{"data":{"workouts":[{"id":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","name":"Run","start":"2026-02-06 07:00:00 +0000","end":"2026-02-06 07:03:00 +0000","duration":180,"distance":{"qty":0.5,"units":"km"},"heartRateData":[{"date":"2026-02-06 07:00:00 +0000","Avg":110,"units":"bpm"}],"route":[{"latitude":52.5,"longitude":13.4,"timestamp":"2026-02-06 07:00:10 +0000"}]}]}}"#,
        #"{"data":{"stateOfMind":[{"id":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A02","start":"2026-02-06 09:00:00 +0000","kind":"Daily Mood","labels":["Calm"],"valence":0.4}],"symptoms":[{"start":"2026-02-06 09:00:00 +0000","name":"Headache","severity":"Mild"}],"ecg":[{"start":"2026-02-06 09:00:00 +0000","classification":"Sinus Rhythm","samplingFrequency":512,"voltageMeasurements":[{"voltage":1,"units":"mcV"}]}],"medications":[{"displayText":"A","start":"2026-02-06 09:00:00 +0000","status":"Taken","codings":[{"code":"1","system":"s"}]}]}}"#,
        #"{"data":{"metrics":[{"name":"blood_pressure","units":"mmHg","data":[{"date":"2026-02-06 14:30:00 +0000","systolic":120,"diastolic":80}]},{"name":"step_count","units":"count","data":[{"date":"2026-02-06 00:00:00 +0000","qty":1200.5}]}],"heartRateNotifications":[{"start":"2026-02-06 09:00:00 +0000","threshold":120,"heartRate":[{"hr":130}]}]}}"#,
    ]

    private static func autoExport(_ input: [UInt8]) throws {
        let engine = try store()
        var document = AutoExportDocument(
            .bytes(input), header: nil, timeZone: .gmt, writer: writer(engine), unread: { _, _, _, _ in })
        do {
            try document.ingest()
        } catch {
            try accept(error)
        }
        try check(engine)
    }

    // MARK: Shortcuts

    static let shortcuts = [
        #"{"type":"bodyMass","value":70.5,"unit":"kg","date":"2026-02-06T08:00:00+01:00"}"#,
        #"{"type":"Heart Rate","value":"61 count/min\n72,5 count/min","date":"2026-02-06T08:00:00+01:00\n2026-02-06T08:01:00+01:00"}"#,
        #"{"samples":[{"type":"oxygenSaturation","value":97,"unit":"%","date":"2026-02-06T01:00:00Z"},{"type":"headache","value":"mild"},{"type":"bloodPressure","systolic":120,"diastolic":80}]}"#,
        "type=dietaryWater&value=250&unit=mL&date=2026-02-06T08%3A00%3A00%2B01%3A00",
        "--AbC\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nsleepAnalysis\r\n--AbC\r\nContent-Disposition: form-data; name=\"value\"\r\n\r\nasleepREM\r\n--AbC--\r\n",
    ]

    private static func shortcuts(_ input: [UInt8]) throws {
        let engine = try store()
        let media = [nil, "application/x-www-form-urlencoded", "multipart/form-data; boundary=AbC"]
        for media in media {
            do {
                let items = try ShortcutsReader.items(input, media: media, parameters: [("source", "x")])
                let reader = ShortcutsReader(timeZone: .gmt, now: 792_000_000, slashed: SlashedDates(items))
                try reader.ingest(items, into: writer(engine), unread: { _, _, _, _ in })
            } catch is IngestEntryError {
                // Nothing of the body was understood.
            } catch {
                try accept(error)
            }
        }
        try check(engine)
    }

    // MARK: Samples

    private static let samples = [
        #"{"samples":[{"type":"HKQuantityTypeIdentifierStepCount","start":"2026-02-06T08:00:00Z","end":"2026-02-06T08:10:00Z","value":72,"unit":"count","uuid":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","metadata":{"a":1,"HKWasUserEntered":true}}]}"#,
        "{\"type\":\"sleepAnalysis\",\"start\":\"2026-02-06T01:00:00Z\",\"end\":\"2026-02-06T02:00:00Z\",\"value\":\"asleepREM\"}\n{\"type\":\"heartRate\",\"start\":\"2026-02-06T08:00:00.25Z\",\"end\":\"2026-02-06T08:00:00.25Z\",\"value\":61.5,\"unit\":\"count/min\"}\n",
        #"{"type":"workout","start":"2026-02-06T08:00:00Z","end":"2026-02-06T08:30:00Z","activityType":"running","duration":1800,"events":[{"type":"pause","start":"2026-02-06T08:10:00Z","end":"2026-02-06T08:11:00Z"}],"statistics":[{"type":"activeEnergyBurned","start":"2026-02-06T08:00:00Z","end":"2026-02-06T08:30:00Z","sum":310,"unit":"kcal"}]}"#,
        #"[{"type":"electrocardiogram","start":"2026-02-06T08:00:00Z","end":"2026-02-06T08:00:30Z","fields":{"classification":1},"voltages":[0.1,-0.2]},{"type":"bloodPressure","start":"2026-02-06T08:00:00Z","end":"2026-02-06T08:00:00Z","members":[{"type":"bloodPressureSystolic","start":"2026-02-06T08:00:00Z","end":"2026-02-06T08:00:00Z","value":120,"unit":"mmHg"}]}]"#,
    ]

    private static func samples(_ input: [UInt8]) throws {
        for hasLines in [false, true] {
            let engine = try store()
            let saving = SampleSaving(engine: engine, caller: TextTargets.caller)
            do {
                _ = try saving.save(ByteBuffer(bytes: input), hasLines: hasLines, timeZone: .gmt)
            } catch {
                try accept(error)
            }
            try check(engine)
        }
    }

    // MARK: Synchronization

    private static let batches = [
        #"{"device":{"identifier":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","name":"iPhone"},"sequence":1,"acknowledged":0,"samples":[{"uuid":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A02","type":"HKQuantityTypeIdentifierStepCount","startDate":"2026-03-01T07:30:00.25Z","endDate":"2026-03-01T07:30:00.25Z","source":"Watch","bundleIdentifier":"com.example.watch","operatingSystemVersion":"17.2.1","quantity":12,"unit":"count","metadata":{"HKWasUserEntered":true}}],"deletedObjects":["5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A03"]}"#,
        #"{"device":{"identifier":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","name":"iPhone"},"sequence":2,"acknowledged":1,"samples":[{"uuid":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A04","type":"HKWorkoutTypeIdentifier","startDate":"2026-03-01T07:30:00Z","endDate":"2026-03-01T08:30:00Z","source":"Watch","bundleIdentifier":"com.example.watch","workoutActivityType":37,"duration":3600,"workoutEvents":[{"type":1,"startDate":"2026-03-01T07:40:00Z","endDate":"2026-03-01T07:41:00Z"}],"members":["5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A02"]}],"deletedObjects":[],"activitySummaries":[{"date":"2026-03-01","activityMoveMode":1,"isPaused":false,"activeEnergyBurned":{"quantity":500,"unit":"kcal"}}]}"#,
        #"{"device":{"identifier":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","name":"iPhone"},"sequence":3,"acknowledged":0,"samples":[{"uuid":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A05","type":"HKDataTypeIdentifierElectrocardiogram","startDate":"2026-03-01T07:30:00Z","endDate":"2026-03-01T07:30:30Z","source":"ECG","bundleIdentifier":"com.example.ecg","properties":{"classification":1},"series":{"times":[0,0.5],"voltages.1":[0.1,null]}}],"deletedObjects":[]}"#,
    ]

    private static func sync(_ input: [UInt8]) throws {
        guard let batch = try? SyncCoding.decoder().decode(SyncBatch.self, from: Data(input)) else { return }
        let written = try SyncCoding.encoder().encode(batch)
        guard let again = try? SyncCoding.decoder().decode(SyncBatch.self, from: written) else {
            throw FuzzFailure("a batch is written as none")
        }
        // By bytes, as a NaN isn't equal to itself; the order of members isn't fixed.
        let sorted = SyncCoding.encoder()
        sorted.outputFormatting = .sortedKeys
        try FuzzFailure.unless(try sorted.encode(again) == sorted.encode(batch), "a batch changed")
        guard batch.sequence > 0, batch.acknowledged >= 0, batch.acknowledged < batch.sequence else { return }
        let engine = try store()
        var reader = SyncBatchReader()
        let header = SyncBatchHeader(
            device: batch.device.identifier, name: batch.device.name, sequence: batch.sequence, acknowledged: 0)
        do {
            let first = try engine.receive(try reader.changes(in: batch), header, as: .person)
            let second = try engine.receive(try reader.changes(in: batch), header, as: .person)
            try FuzzFailure.unless(first == second, "a batch that is received again changes something")
        } catch let failure as FuzzFailure {
            throw failure
        } catch {
            try accept(error)
        }
        try check(engine)
    }

    // MARK: Assistants

    private static let messages = [
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"statistics","arguments":{"type":"stepCount"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
        #"[{"jsonrpc":"2.0","method":"ping","id":"a"},{"jsonrpc":"2.0","result":{}}]"#,
    ]

    private static func assistant(_ input: [UInt8]) {
        for size in [1, 256 << 10] {
            let source = JSONSource.reading { offset, buffer in
                let part = input.dropFirst(offset).prefix(buffer.count)
                buffer.copyBytes(from: part)
                return part.count
            }
            var reader = JSONReader(source, windowSize: size, isLenient: true)
            guard let value = try? reader.value(), (try? reader.end()) != nil else { continue }
            _ = AssistantMessage.isAnswer(value)
            for element in value.elements ?? [value] { _ = try? AssistantMessage(element) }
        }
    }
}
