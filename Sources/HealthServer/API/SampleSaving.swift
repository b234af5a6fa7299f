import Foundation
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HealthStorage
import NIOCore

/// Saves a batch of samples: all or none, idempotent by UUID and by sync identifier.
struct SampleSaving {
    let engine: HealthEngine
    let caller: Caller
    /// Whether values outside the plausible range of their type are saved.
    var allowsImplausible = false

    /// Saves the samples in a body and returns the answer as JSON.
    ///
    /// - Throws: ``Problem``.
    func save(_ body: ByteBuffer, hasLines: Bool, timeZone: TimeZone) throws -> [UInt8] {
        let (items, dictionaries) = try read(body, hasLines: hasLines, timeZone: timeZone)
        if !allowsImplausible { try requirePlausible(items, dictionaries) }
        let (outcome, existing, uuids) = try save(items)
        return JSONText.objectBytes { json in
            json.member("saved", integer: outcome.saved)
            json.member("ignored", integer: outcome.ignored)
            json.member("replaced", integer: outcome.replaced)
            json.member("existing", integer: existing)
            json.array("samples") { json in
                for uuid in uuids { if let uuid { json.string(uuid.uuidString) } else { json.null() } }
            }
        }
    }

    /// The items of a body, and the dictionaries with which it was read.
    private func read(
        _ body: ByteBuffer, hasLines: Bool, timeZone: TimeZone
    ) throws -> (items: [SaveItem], dictionaries: StoreDictionaries) {
        do {
            return try engine.lookingUp { dictionaries in
                var reader = SampleJSONReader(dictionaries: dictionaries, timeZone: timeZone)
                let items = try body.withUnsafeReadableBytes { raw in
                    try raw.withMemoryRebound(to: UInt8.self) { try hasLines ? reader.lines($0) : reader.batch($0) }
                }
                return (items, dictionaries)
            }
        } catch let error as JSONSyntaxError {
            throw Problem(.invalidBody, "The body is not JSON. \(error)")
        } catch let error as SampleReadingError {
            // A body whose structure can't be read is often not JSON at all, such as a form.
            if error.member == nil, !hasLines, !Self.isJSON(body) {
                throw Problem(.invalidBody, "The body is not JSON.")
            }
            throw Problem(.invalidSample, error)
        }
    }

    /// Whether a body is JSON, of which nothing is kept.
    private static func isJSON(_ body: ByteBuffer) -> Bool {
        var reader = JSONReader(.bytes(Array(body.readableBytesView)))
        return (try? reader.skip()) != nil && (try? reader.end()) != nil
    }

    /// - Throws: ``Problem`` `implausibleValue` for the first sample whose value is most likely a slip.
    private func requirePlausible(_ items: [SaveItem], _ dictionaries: StoreDictionaries) throws {
        var ranges: [TypeCode: PlausibleRange?] = [:]
        for (index, item) in items.enumerated() {
            let samples: [SampleRecord] =
                switch item {
                case .sample(let sample): [sample]
                case .object(let object): object.members
                }
            for sample in samples {
                guard let type = dictionaries.type(sample.type), type.kind == .quantity else { continue }
                let range = ranges[type.code] ?? PlausibleRange(type)
                ranges[type.code] = range
                // Another kind of unit has an error of its own.
                guard let range, let canonical = type.canonicalUnit, sample.value.isFinite,
                    UnitConversion(between: sample.unit, and: canonical) != nil,
                    !range.contains(sample.value, sample.unit)
                else { continue }
                let reason = "\(type.shortName) is from \(range.text). If it is right, use allowImplausible=true."
                throw Problem(
                    .implausibleValue, SampleReadingError(index: index, member: "quantity", reason: reason))
            }
        }
    }

    // MARK: Saving

    /// The outcome of a save, and the identity of each sample; `nil` for one that was ignored.
    private typealias Saved = (outcome: SaveOutcome, existing: Int, uuids: [UUID?])

    private func saveAll(_ items: [SaveItem]) throws -> Saved {
        let (outcome, places) = try engine.saveLocating(items, as: caller)
        // A sample without a given identity has one that the store derives and need not keep.
        let identities = DerivedIdentities(seed: engine.identity().seed)
        let uuids = zip(items, places).map { item, place in place.map { item.uuid ?? identities.uuid(for: $0.sequence) }
        }
        return (outcome, 0, uuids)
    }

    private func save(_ items: [SaveItem]) throws -> Saved {
        do {
            return try saveAll(items)
        } catch let error as ValidationError {
            throw try invalidSample(items, error)
        } catch let error as EngineError where error.isAboutArguments {
            // Most batches are new, so that looking up each UUID first would only cost time.
            return try saveMissing(items, after: error)
        } catch let error as StorageError where error.kind == .duplicate {
            return try saveMissing(items, after: error)
        }
    }

    /// The problem of the first sample that HealthKit would not construct.
    private func invalidSample(_ items: [SaveItem], _ error: ValidationError) throws -> Problem {
        let dictionaries = try engine.dictionaries()
        for (index, item) in items.enumerated() {
            do {
                switch item {
                case .sample(let sample):
                    guard let type = dictionaries.type(sample.type) else { continue }
                    try RecordValidation.validate(sample, description: type)
                case .object(let object):
                    guard let type = dictionaries.type(object.type) else { continue }
                    try RecordValidation.validate(object, description: type)
                    for member in object.members {
                        guard let type = dictionaries.type(member.type) else { continue }
                        try RecordValidation.validate(member, description: type)
                    }
                }
            } catch {
                return Problem(
                    .invalidSample,
                    SampleReadingError(index: index, member: error.rule.member, reason: Self.sentence(error)))
            }
        }
        return Problem(.invalidSample, Self.sentence(error))
    }

    /// The reason as a sentence. HealthKit's own reasons of two sentences end with a period.
    private static func sentence(_ error: ValidationError) -> String {
        let reason = "\(error)"
        return reason.hasSuffix(".") ? reason : reason + "."
    }

    /// Saves what is not stored yet. What is stored must have the same contents.
    private func saveMissing(_ items: [SaveItem], after error: any Error) throws -> Saved {
        let stored = try storedItems(items)
        var (missing, places, existing, seen) = ([SaveItem](), [Int](), 0, [UUID: SaveItem]())
        for (index, item) in items.enumerated() {
            if let uuid = item.uuid, let other = stored[uuid] ?? seen[uuid].map({ .some($0) }) {
                guard let other, other.hasContents(of: item) else {
                    var problem = Problem(
                        .conflict,
                        "Sample \(index): Another sample with this UUID is already stored. Nothing was saved.")
                    problem.index = index
                    problem.member = "uuid"
                    throw problem
                }
                existing += 1
            } else {
                if let uuid = item.uuid { seen[uuid] = item }
                missing.append(item)
                places.append(index)
            }
        }
        guard existing > 0 else { throw error }
        var uuids = items.map(\.uuid)
        guard !missing.isEmpty else { return (SaveOutcome(), existing, uuids) }
        do {
            let saved = try saveAll(missing)
            for (place, uuid) in zip(places, saved.uuids) { uuids[place] = uuid }
            return (saved.outcome, existing, uuids)
        } catch let error as ValidationError {
            throw try invalidSample(items, error)
        }
    }

    /// The stored samples with the UUIDs of a batch. `nil` is one that the caller did not save, and may not know.
    private func storedItems(_ items: [SaveItem]) throws -> [UUID: SaveItem?] {
        var byType: [TypeCode: Set<UUID>] = [:]
        var found: [UUID: SaveItem?] = [:]
        try engine.withReader(as: caller) { reading in
            for uuid in items.compactMap(\.uuid) {
                guard let place = try reading.locate(uuid) else { continue }
                byType[place.type, default: []].insert(uuid)
                found[uuid] = .some(nil)
            }
        }
        for (type, uuids) in byType {
            // The caller may write these types, but has not necessarily asked to read them.
            guard
                let selection = try? engine.samples(
                    SampleRequest(parts: [.init(type: type, filter: .uuid(uuids))]), as: caller)
            else { continue }
            for batch in selection.batches {
                for row in 0..<batch.count {
                    let record = batch.record(
                        at: row, dictionaries: selection.dictionaries, identities: selection.identities)
                    if let uuid = record.uuid, isOwn(record.revision) { found[uuid] = .some(.sample(record)) }
                }
            }
            for object in selection.objects {
                if let uuid = object.uuid, isOwn(object.revision) { found[uuid] = .some(.object(object)) }
            }
        }
        return found
    }

    private func isOwn(_ revision: SourceRevisionRecord?) -> Bool {
        caller.permission == .owner || revision?.source.bundleIdentifier == caller.bundleIdentifier
    }
}

extension SaveItem {
    /// Whether an application would see the same sample, apart from where it comes from.
    fileprivate func hasContents(of other: SaveItem) -> Bool {
        switch (self, other) {
        case (.sample(let own), .sample(let other)): own.contents == other.contents
        case (.object(let own), .object(let other)): own.contents == other.contents
        default: false
        }
    }
}

extension SampleRecord {
    /// The sample without its identity, source and place in the store.
    fileprivate var contents: SampleRecord {
        var contents = self
        contents.uuid = nil
        contents.revision = nil
        contents.creation = nil
        contents.sequence = 0
        contents.metadata = metadata.contents
        return contents
    }
}

extension ObjectRecord {
    /// The object without its identity, source and place in the store.
    fileprivate var contents: ObjectRecord {
        var contents = self
        contents.uuid = nil
        contents.revision = nil
        contents.creation = nil
        contents.sequence = 0
        contents.metadata = metadata.contents
        contents.members = members.map(\.contents).sorted {
            ($0.type, $0.start, $0.end, $0.value) < ($1.type, $1.start, $1.end, $1.value)
        }
        return contents
    }
}

extension Metadata {
    /// The entries that applications see, in the order of keys.
    fileprivate var contents: Metadata {
        Metadata(
            entries.filter { !$0.key.hasPrefix("_") }.map { Entry(key: $0.key, value: $0.value) }.sorted {
                $0.key < $1.key
            })
    }
}

extension ValidationError.Rule {
    /// The member of a sample that the rule is about.
    fileprivate var member: String {
        switch self {
        case .unit: "unit"
        case .dates, .openEnd, .duration: "endDate"
        case .categoryValue: "value"
        case .requiredMetadata, .metadataValue, .syncMetadata: "metadata"
        case .members: "objects"
        case .workoutEvent: "workoutEvents"
        }
    }
}

extension Problem {
    /// The problem of a sample in a batch.
    init(_ code: Code, _ error: SampleReadingError) {
        self.init(code, error.description)
        index = error.index
        member = error.member
    }
}
