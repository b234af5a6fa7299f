import Foundation
import HealthKit

/// One pass over all types.
actor SyncPass {
    private let store: HKHealthStore
    private let types: [HKSampleType]
    private let destination: String
    private let progressStore: any SyncProgressStore
    private let options: HealthStoreSync.Options
    private let sender: BatchSender
    private let reader: SampleReader

    private var progress: SyncProgress
    private var report = SyncReport()
    private var pending = PendingContent()
    /// Numbers up to this one are saved as used.
    private var reserved = 0
    /// Owners that were sent in this pass, after everything in ``SyncProgress/unchecked``.
    private var sentOwners: Set<UUID> = []

    /// The number of batch numbers that are saved as used at once.
    private static let reservation = 64

    /// The contents of the next batch.
    private struct PendingContent {
        var samples: [SyncSample] = []
        var deletions: [UUID] = []
        var summaries: [SyncActivitySummary] = []
        var digests: [String: UInt64] = [:]
        /// Anchors that move when the batch is acknowledged.
        var anchors: [String: Data] = [:]
        var memberTypes: Set<String> = []
        var span: SyncProgress.Span?
        /// The approximate number of bytes.
        var size = 0

        /// Adds deletions. What was deleted and is there was saved again; pending samples that were deleted since
        /// aren't sent.
        mutating func add(deletions uuids: [UUID], present: Set<UUID>) {
            if !deletions.isEmpty { deletions.removeAll { present.contains($0) } }
            let gone = uuids.filter { !present.contains($0) }
            guard !gone.isEmpty else { return }
            let removed = Set(gone)
            samples.removeAll { removed.contains($0.uuid) }
            deletions += gone
            size += 40 * gone.count
        }

        var isEmpty: Bool { samples.isEmpty && deletions.isEmpty && summaries.isEmpty && anchors.isEmpty }
    }

    init(
        store: HKHealthStore, types: [HKSampleType], destination: String, progress: any SyncProgressStore,
        options: HealthStoreSync.Options, sender: BatchSender
    ) {
        self.store = store
        self.types = types
        self.destination = destination
        progressStore = progress
        self.options = options
        self.sender = sender
        reader = SampleReader(store: store)
        self.progress = SyncProgress(destination: destination, device: UUID())
    }

    /// Sends everything that is new.
    func run() async throws -> SyncReport {
        if let saved = try progressStore.load(), saved.destination == destination { progress = saved }
        // A number that an earlier process may have used is not used again.
        reserved = progress.sequence
        for type in types where progress.memberTypes.contains(type.identifier) {
            await reader.add(memberType: type)
        }
        while true {
            do {
                for type in types { try await drain(type) }
                try await flush()
                try await checkOwners()
                // Last, so that summaries that can't be read block nothing else.
                try await addSummaries()
                try await flush()
                return report
            } catch let error as SyncError where [.lost, .stale].contains(error.kind) && report.restarts < 3 {
                report.restarts += 1
                if error.kind == .lost {
                    progress.beginAgain()
                    progress.sequence = max(progress.sequence, error.lastSequence)
                } else {
                    // Another copy of this device has sent since, or this store and its progress were restored from a
                    // backup: what the server has isn't what this one has sent.
                    progress.becomeAnotherDevice()
                    reserved = 0
                }
                try save()
                pending = PendingContent()
                sentOwners = []
            }
        }
    }

    // MARK: Reading

    /// Reads what is new of one type, page by page.
    private func drain(_ type: HKSampleType) async throws {
        let identifier = type.identifier
        var anchor = progress.anchors[identifier].flatMap {
            try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
        }
        let limit = SyncTypes.pageSize(of: type, maximum: options.pageSize)
        while true {
            try Task.checkCancellation()
            let query = HKAnchoredObjectQueryDescriptor(predicates: [.sample(type: type)], anchor: anchor, limit: limit)
            let page: HKAnchoredObjectQueryDescriptor<HKSample>.Result
            do {
                page = try await query.result(for: store)
            } catch let error as HKError where error.isUnauthorized {
                report.unauthorized.insert(identifier)
                return
            }
            if page.addedSamples.isEmpty, page.deletedObjects.isEmpty { return }
            if !page.addedSamples.isEmpty, !progress.memberTypes.contains(identifier) {
                pending.memberTypes.insert(identifier)
                await reader.add(memberType: type)
            }
            // What was received is not sent back.
            let deleted = page.deletedObjects.filter { !SyncCopy.isCopy($0.metadata) }
            pending.add(deletions: deleted.map(\.uuid), present: Set(page.addedSamples.map(\.uuid)))
            for sample in page.addedSamples where !SyncCopy.isCopy(sample.metadata) {
                try await add(sample)
                if pending.size >= options.batchSize { try await flush() }
            }
            anchor = page.newAnchor
            pending.anchors[identifier] = try NSKeyedArchiver.archivedData(
                withRootObject: page.newAnchor, requiringSecureCoding: true)
            if pending.size >= options.batchSize || pending.samples.count >= options.pageSize { try await flush() }
        }
    }

    private func add(_ sample: HKSample) async throws {
        let read = try await reader.read(sample)
        pending.samples.append(read)
        pending.size += read.approximateSize
        if SyncTypes.isOwner(sample.sampleType) {
            sentOwners.insert(sample.uuid)
            return
        }
        let (start, end) = (read.startDate.seconds, read.endDate.seconds)
        let span = pending.span ?? .init(start: start, end: end)
        pending.span = .init(start: min(span.start, start), end: max(span.end, end))
    }

    /// Whether owners have been sent before: only then new samples may belong to one of them.
    private var hasSentOwners: Bool {
        types.contains { SyncTypes.isOwner($0) && progress.anchors[$0.identifier] != nil }
    }

    /// Sends the owners again that may have got new members, with all of them.
    private func checkOwners() async throws {
        guard !progress.unchecked.isEmpty else { return }
        for type in types where SyncTypes.isOwner(type) && progress.anchors[type.identifier] != nil {
            for span in progress.unchecked {
                let predicate = HKQuery.predicateForSamples(
                    withStart: Date(timeIntervalSinceReferenceDate: span.start),
                    end: Date(timeIntervalSinceReferenceDate: span.end), options: [])
                let query = HKSampleQueryDescriptor(
                    predicates: [HKSamplePredicate.sample(type: type, predicate: predicate)], sortDescriptors: [])
                let owners: [HKSample]
                do {
                    owners = try await query.result(for: store)
                } catch let error as HKError where error.isUnauthorized {
                    continue
                }
                for owner in owners where !sentOwners.contains(owner.uuid) && !SyncCopy.isCopy(owner.metadata) {
                    try await add(owner)
                    if pending.size >= options.batchSize { try await flush() }
                }
            }
        }
        try await flush()
        progress.unchecked = []
        try save()
    }

    /// Adds the activity summaries that have changed. They have no anchors, so all of them are read.
    private func addSummaries() async throws {
        let summaries: [HKActivitySummary]
        do {
            summaries = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: store)
        } catch let error as HKError where error.isUnauthorized {
            report.unauthorized.insert(HKObjectType.activitySummaryType().identifier)
            return
        } catch let error as HKError where error.code == .errorInvalidArgument {
            // A sample that lasts for millennia has too many days.
            report.lacksActivitySummaries = true
            return
        }
        for summary in summaries {
            let read = await reader.read(summary)
            let digest = try Self.digest(read)
            guard progress.summaries[read.date] != digest else { continue }
            pending.summaries.append(read)
            pending.digests[read.date] = digest
            pending.size += 500
            if pending.size >= options.batchSize { try await flush() }
        }
    }

    /// 64-bit FNV-1a of the JSON.
    private static func digest(_ summary: SyncActivitySummary) throws -> UInt64 {
        let encoder = SyncCoding.encoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(summary).fnv1a
    }

    // MARK: Sending

    /// Sends the pending batch. If it throws, the batch is unchanged.
    private func flush() async throws {
        guard !pending.isEmpty else { return }
        if pending.samples.isEmpty, pending.deletions.isEmpty, pending.summaries.isEmpty {
            // Only anchors have moved.
            try acknowledge(pending, as: nil)
            pending = PendingContent()
            return
        }
        while !pending.isEmpty {
            do {
                let batch = try nextBatch()
                let acknowledgement = try await sender.send(batch)
                progress.acknowledged = batch.sequence
                try acknowledge(pending, as: acknowledgement)
                pending = PendingContent()
                return
            } catch let error as SyncError where error.kind == .tooLarge && pending.samples.count > 1 {
                try await sendFirstHalf()
            } catch let error as SyncError where error.kind == .tooLarge && pending.samples.count == 1 {
                // It doesn't block the others.
                report.rejected.append(
                    .init(uuid: pending.samples[0].uuid, reason: "The server doesn’t take a sample of this size."))
                pending.samples = []
                return try await flush()
            }
        }
    }

    /// Sends half of the samples without moving anchors, and leaves the rest pending.
    private func sendFirstHalf() async throws {
        let whole = pending
        let half = whole.samples.count / 2
        pending = PendingContent()
        pending.samples = Array(whole.samples[..<half])
        // Deletions come before what was saved after them.
        pending.deletions = whole.deletions
        do {
            try await flush()
        } catch {
            pending = whole
            throw error
        }
        pending = whole
        pending.samples.removeFirst(half)
        pending.deletions = []
    }

    /// The pending batch with a number that was never used.
    private func nextBatch() throws -> SyncBatch {
        progress.sequence += 1
        if progress.sequence > reserved { try save() }
        return SyncBatch(
            device: SyncDevice(identifier: progress.device, name: options.deviceName), sequence: progress.sequence,
            acknowledged: progress.acknowledged, samples: pending.samples, deletedObjects: pending.deletions,
            activitySummaries: pending.summaries.isEmpty ? nil : pending.summaries)
    }

    private func acknowledge(_ pending: PendingContent, as acknowledgement: SyncAcknowledgement?) throws {
        // Before the anchors move: whether the samples may belong to owners that were sent earlier.
        if let span = pending.span, hasSentOwners { progress.addUnchecked(span) }
        progress.anchors.merge(pending.anchors) { $1 }
        progress.memberTypes.formUnion(pending.memberTypes)
        progress.summaries.merge(pending.digests) { $1 }
        try save()
        guard let acknowledgement else { return }
        report.batches += 1
        report.samples += pending.samples.count
        report.deletions += pending.deletions.count
        report.rejected += acknowledgement.rejected
    }

    /// Saves the progress, with some numbers as used that are not yet, so that not every batch needs another write.
    private func save() throws {
        reserved = max(reserved, progress.sequence + Self.reservation)
        var saved = progress
        saved.sequence = reserved
        try progressStore.save(saved)
    }
}

extension SyncSample {
    /// The approximate number of bytes as JSON.
    fileprivate var approximateSize: Int {
        var size = 400 + 40 * (members?.count ?? 0) + 60 * (metadata?.count ?? 0)
        for column in (series ?? [:]).values { size += 12 * column.numbers.count }
        if let workout {
            size += 500 + 120 * (workout.workoutEvents?.count ?? 0) + 400 * (workout.workoutActivities?.count ?? 0)
        }
        for case .data(let data) in (properties ?? [:]).values { size += data.count * 4 / 3 }
        return size + 100 * (properties?.count ?? 0)
    }
}
