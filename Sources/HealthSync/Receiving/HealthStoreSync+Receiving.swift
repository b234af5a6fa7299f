import Foundation
import HealthKit

// The way back: what others have changed on the server is written into the store.
extension HealthStoreSync {
    /// Asks the server which types it has, and says which of them are going to be written, and why the others aren't.
    ///
    /// - Throws: ``SyncError``; `CancellationError`.
    public func receivingPlan() async throws -> SyncPlan {
        SyncPlan(try await ReceivePass.types(of: server, sender), in: store)
    }

    /// Asks the person for permission to write what the server has, and nothing else. HealthKit shows nothing for types
    /// that have been decided.
    ///
    /// - Throws: ``SyncError``; errors of `HKHealthStore.requestAuthorization(toShare:read:)`; `CancellationError`.
    public func requestReceivingAuthorization() async throws {
        try await receivingPlan().requestAuthorization(in: store)
    }

    /// Writes what has changed on the server since the last time, and returns when it is stored.
    ///
    /// Samples that came from this store are recognized by their UUIDs. Others are saved as this app's own, each once:
    /// one that was changed replaces its previous version, and one that was deleted is deleted if this app wrote it.
    /// ``sync()`` doesn't send what was received. However a pass ends, the next one continues there.
    ///
    /// - Throws: ``SyncError``; errors of HealthKit, such as `errorDatabaseInaccessible` while the phone is locked;
    ///   errors of the progress store; `CancellationError`.
    @discardableResult
    public func receive() async throws -> SyncReceipt {
        let pass = ReceivePass(store: store, server: server, progressStore: progress, sender: sender, options: options)
        return try await afterOthers { try await pass.run() }
    }
}

/// One pass of receiving.
struct ReceivePass: Sendable {
    let store: HKHealthStore
    let server: SyncServer
    let progressStore: any SyncProgressStore
    let sender: BatchSender
    let options: HealthStoreSync.Options

    /// The stable codes with which a server says that an anchor is of another store.
    private static let lostAnchor: Set<String> = ["anchorExpired", "invalidAnchor"]

    private struct Types: Decodable {
        struct Entry: Decodable {
            var type: String
        }

        var types: [Entry]
    }

    /// The identifiers of the types that a server has.
    static func types(of server: SyncServer, _ sender: BatchSender) async throws -> Set<String> {
        // Summaries and characteristics aren’t samples.
        Set(try await sender.get(Types.self, from: server.types).types.map(\.type)).filter {
            !$0.hasPrefix("HKActivitySummaryType") && !$0.hasPrefix("HKCharacteristicType")
        }
    }

    func run() async throws -> SyncReceipt {
        var progress = SyncProgress(destination: server.destination, device: UUID())
        if let saved = try progressStore.load(), saved.destination == server.destination { progress = saved }
        let plan = SyncPlan(try await Self.types(of: server, sender), in: store)
        var report = SyncReceipt()
        report.leftOut = plan.leftOut
        var cursor = progress.received ?? SyncCursor()
        let wanted = Set(plan.types.map(\.identifier))
        // Samples of a type that was not permitted before have been passed over.
        if !wanted.isSubset(of: cursor.types) { cursor.anchor = nil }
        cursor.types = wanted
        guard !wanted.isEmpty else { return report }
        let writer = SampleWriter(store: store, types: plan.types, origin: server.origin)
        func save() throws {
            progress.received = cursor
            try progressStore.save(progress)
        }
        var hasMore = true
        while hasMore {
            try Task.checkCancellation()
            let page: SyncChanges
            do {
                page = try await sender.get(
                    SyncChanges.self,
                    from: server.changes(of: wanted, since: cursor.anchor, limit: options.pageSize))
            } catch let error as SyncError where cursor.anchor != nil && Self.lostAnchor.contains(error.code ?? "") {
                cursor.beginAgain()
                try save()
                continue
            }
            let highest = cursor.base + (page.added.map(\.sequence).max() ?? 0)
            if highest > cursor.highest {
                // Before anything is written with these versions.
                cursor.highest = highest
                try save()
            }
            report.unreadable += page.unreadableCount
            report.deletions += try await writer.delete(page.deleted)
            try await writer.write(page.added, base: cursor.base, report: &report)
            // A server whose anchor doesn't move would be asked forever.
            hasMore = page.hasMore && page.anchor != cursor.anchor
            if !hasMore, cursor.sweeps {
                report.deletions += try await writer.deleteAll(
                    SyncCopy.predicate(forOrigin: server.origin, through: cursor.base))
                cursor.sweeps = false
            }
            if page.anchor != cursor.anchor || progress.received != cursor {
                cursor.anchor = page.anchor
                try save()
            }
        }
        return report
    }
}

extension SyncServer {
    /// Names the person's data in the metadata of what was received, whatever the address of the server.
    var origin: String { "person-" + String(person.utf8.fnv1a, radix: 16) }
}

extension Sequence<UInt8> {
    /// The 64-bit FNV-1a hash.
    var fnv1a: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
