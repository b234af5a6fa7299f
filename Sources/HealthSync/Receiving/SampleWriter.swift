import Foundation
import HealthKit

/// Writes received samples into a store and deletes them, so that doing it again changes nothing.
///
/// A sample is marked with a sync identifier, which is made of its UUID, and its sequence as the version: HealthKit
/// ignores a version that it has, and replaces an older one.
struct SampleWriter {
    let store: HKHealthStore
    /// The types that are written, by identifier.
    let types: [String: HKSampleType]
    /// Where the samples come from.
    let origin: String

    init(store: HKHealthStore, types: Set<HKSampleType>, origin: String) {
        self.store = store
        self.types = Dictionary(uniqueKeysWithValues: types.map { ($0.identifier, $0) })
        self.origin = origin
    }

    /// Deletes the copies of samples.
    ///
    /// - Returns: The number of copies that were there.
    @discardableResult
    func delete(_ deletions: [SyncChanges.Deletion]) async throws -> Int {
        var count = 0
        for (identifier, group) in Dictionary(grouping: deletions, by: \.type) {
            guard let type = types[identifier] else { continue }
            count += try await delete(type, SyncCopy.predicate(for: group.map(\.uuid)))
        }
        return count
    }

    /// Writes samples, without those that the store has with their own UUIDs: they came from here.
    func write(_ received: [ReceivedSample], base: Int, report: inout SyncReceipt) async throws {
        let builder = SampleBuilder(origin: origin, base: base)
        let local = try await localSamples(among: received)
        let foreign = received.filter { !local.contains($0.sample.uuid) }
        report.known += received.count - foreign.count
        let correlations = foreign.filter { received in
            guard !received.objects.isEmpty, received.objects.allSatisfy({ types[$0.sample.type] != nil }),
                let type = types[received.sample.type]
            else { return false }
            // The objects of one that is rejected are written by themselves.
            return (try? builder.sample(received, of: type)) != nil
        }
        // The objects of a correlation are written with it, also those that came before it.
        try await delete(correlations.flatMap { [$0] + $0.objects }.map { .init($0.sample) })
        let owned = Set(correlations.flatMap(\.objects).map(\.sample.uuid))
        var samples: [HKSample] = []
        for one in foreign where !owned.contains(one.sample.uuid) {
            guard let type = types[one.sample.type] else { continue }
            do {
                if !one.objects.isEmpty, !one.objects.allSatisfy({ types[$0.sample.type] != nil }) {
                    throw SampleBuildError("The type of an object of the correlation isn’t written.")
                }
                samples.append(try builder.sample(one, of: type))
            } catch let error as SampleBuildError {
                report.rejected.append(.init(uuid: one.sample.uuid, reason: error.reason))
            }
        }
        try await save(samples, report: &report)
    }

    /// Saves all samples; if HealthKit refuses one of them, each on its own.
    private func save(_ samples: [HKSample], report: inout SyncReceipt) async throws {
        guard !samples.isEmpty else { return }
        do {
            try await store.save(samples)
            report.samples += samples.count
        } catch let error as HKError where error.code == .errorInvalidArgument {
            guard samples.count > 1 else {
                let uuid = SyncCopy.original(of: samples[0].metadata) ?? samples[0].uuid
                return report.rejected.append(.init(uuid: uuid, reason: "HealthKit doesn’t take the sample."))
            }
            for sample in samples { try await save([sample], report: &report) }
        }
    }

    /// The UUIDs of those samples that are in the store.
    private func localSamples(among received: [ReceivedSample]) async throws -> Set<UUID> {
        var found: Set<UUID> = []
        for (identifier, group) in Dictionary(grouping: received, by: \.sample.type) {
            guard let type = types[identifier] else { continue }
            let starts = group.map(\.sample.startDate.seconds).filter(\.isFinite)
            guard let first = starts.min(), let last = starts.max() else { continue }
            // The dates spare HealthKit a search through all years.
            let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                HKQuery.predicateForObjects(with: Set(group.map(\.sample.uuid))),
                HKQuery.predicateForSamples(
                    withStart: Date(timeIntervalSinceReferenceDate: first - 1),
                    end: Date(timeIntervalSinceReferenceDate: last + 1), options: .strictStartDate),
            ])
            let query = HKSampleQueryDescriptor(
                predicates: [HKSamplePredicate.sample(type: type, predicate: predicate)], sortDescriptors: [])
            do {
                found.formUnion(try await query.result(for: store).map(\.uuid))
            } catch let error as HKError where error.isUnauthorized {
                // An app that may not read a type has sent nothing of it.
                continue
            }
        }
        return found
    }

    /// Deletes the copies that a predicate matches, of all types.
    func deleteAll(_ predicate: NSPredicate) async throws -> Int {
        var count = 0
        // Owners last: their objects are kept by HealthKit.
        for type in SyncTypes.inOrder(Set(types.values)) {
            count += try await delete(type, predicate)
        }
        return count
    }

    /// Deletes what this app wrote of a type: nothing of one that it may not write.
    private func delete(_ type: HKSampleType, _ predicate: NSPredicate) async throws -> Int {
        do {
            return try await store.deleteObjects(of: type, predicate: predicate)
        } catch let error as HKError where error.isUnauthorized {
            return 0
        }
    }
}

extension HKError {
    /// Whether the person hasn't been asked, or has refused.
    var isUnauthorized: Bool { code == .errorAuthorizationNotDetermined || code == .errorAuthorizationDenied }
}

extension SyncChanges.Deletion {
    fileprivate init(_ sample: SyncSample) {
        self.init(uuid: sample.uuid, type: sample.type)
    }
}

/// The result of receiving, or of loading a seed.
public struct SyncReceipt: Hashable, Sendable {
    /// The number of samples that were written, or that were there already as they were received.
    public var samples = 0
    /// The number of received samples that were deleted.
    public var deletions = 0
    /// The number of samples that were not written because they came from this store.
    public var known = 0
    /// Samples that HealthKit doesn't take, with reasons that contain no health data.
    public var rejected: [SyncAcknowledgement.Rejection] = []
    /// The number of samples that this version can't read.
    public var unreadable = 0
    /// The identifiers of the types that are there and aren't written, with the reason.
    public var leftOut: [String: SyncPlan.Reason] = [:]

    /// Creates a receipt of nothing.
    public init() {}
}
