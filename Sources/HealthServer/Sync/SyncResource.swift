import Foundation
import HTTPTypes
import HealthAccess
import HealthEngine
import HealthImport
import HealthSync
import Hummingbird

/// The batches of devices that use HealthSync, `POST sync/batches`, and the list of these devices, `GET sync/devices`.
struct SyncResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.post("sync/batches", use: receive)
        group.get("sync/devices", use: devices)
        group.delete("sync/devices/{device}", use: forget)
    }

    /// Stores a batch and its number, and acknowledges it.
    @Sendable private func receive(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let caller = try Self.caller(context.access)
        if let media = request.headers[.contentType], !media.lowercased().hasPrefix("application/json") {
            throw Problem(.unsupportedMediaType, "Send the batch as application/json.")
        }
        let body = try await request.wholeBody(upTo: context.core.configuration.limits.bodyBytes)
        let acknowledgement = try await context.read { engine, _ in
            let batch: SyncBatch
            do {
                batch = try SyncCoding.decoder().decode(SyncBatch.self, from: Data(body.readableBytesView))
            } catch let error as DecodingError {
                throw Problem(error)
            }
            // Half of the hash.
            let digest = String(Secret.digest(body.readableBytesView).prefix(32))
            return try Self.store(batch, digest, in: engine, as: caller)
        }
        return try Response.json(acknowledgement)
    }

    static func store(
        _ batch: SyncBatch, _ digest: String, in engine: HealthEngine, as caller: Caller
    ) throws -> SyncAcknowledgement {
        guard batch.sequence > 0, batch.acknowledged >= 0, batch.acknowledged < batch.sequence else {
            throw Problem(.invalidBody, "“sequence” must be positive, and “acknowledged” less than it.")
        }
        // JavaScript and others represent no more, and a device adds to the last one.
        guard batch.sequence < 1 << 53 else { throw Problem(.invalidBody, "“sequence” must be less than 2⁵³.") }
        var reader = SyncBatchReader()
        let changes = try reader.changes(in: batch)
        let header = SyncBatchHeader(
            device: batch.device.identifier, name: String(batch.device.name.prefix(200)), sequence: batch.sequence,
            acknowledged: batch.acknowledged, contents: digest)
        do {
            let outcome = try engine.receive(changes, header, as: caller)
            var acknowledgement = SyncAcknowledgement(sequence: batch.sequence)
            acknowledgement.added = outcome.added
            acknowledgement.updated = outcome.updated
            acknowledgement.unchanged = outcome.unchanged
            acknowledgement.deleted = outcome.deleted
            let rejected = outcome.rejected.merging(reader.rejected) { engine, _ in engine }
            acknowledgement.rejected = rejected.sorted { $0.key.uuidString < $1.key.uuidString }.map {
                SyncAcknowledgement.Rejection(uuid: $0.key, reason: $0.value)
            }
            return acknowledgement
        } catch SyncOrderError.stale(let last) {
            throw Problem(
                .syncStale, "A later batch of this device, or another one with this number, is stored.",
                headers: [.syncLastSequence: String(last)])
        } catch SyncOrderError.lost(let last) {
            throw Problem(
                .syncLost, "This store doesn’t have the batches that it acknowledged. Send everything again.",
                headers: [.syncLastSequence: String(last)])
        }
    }

    // MARK: Devices

    private struct Device: Encodable {
        var identifier: UUID
        var name: String
        var sequence: Int
        var firstSyncDate: Date
        var lastSyncDate: Date
        var added: Int
        var deleted: Int
        var rejected: Int
    }

    /// The devices that have sent batches, and when they did last.
    @Sendable private func devices(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireOwner("see which devices sync")
        let records = try await context.read { engine, _ in try engine.deliveries() }
        let devices = records.map { record in
            Device(
                identifier: record.last.device, name: record.last.name, sequence: record.last.sequence,
                firstSyncDate: Date(timeIntervalSinceReferenceDate: record.firstDate),
                lastSyncDate: Date(timeIntervalSinceReferenceDate: record.date), added: record.added,
                deleted: record.deleted, rejected: record.outcome.rejected.count)
        }
        return try .json(["devices": devices])
    }

    /// Forgets a device; its data stays.
    @Sendable private func forget(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireOwner("remove a device")
        guard let device = UUID(uuidString: try context.parameters.require("device")) else {
            throw Problem(.invalidParameter, "The identifier of a device is a UUID.")
        }
        try await context.read { engine, _ in try engine.forgetDelivery(device: device) }
        return Response(status: .noContent)
    }

    /// On whose behalf a batch is stored. It contains data of any source, which HealthKit's authorization has no notion
    /// of, so the sender must act as the person or be a device that the person lets deliver.
    private static func caller(_ access: Access) throws -> Caller {
        try access.requireWriting()
        guard access.isOwner || access.identity.isSyncDevice else {
            throw Problem(
                .forbidden, "An application can write only as itself. Use a token of “hk token add NAME --sync”.")
        }
        return .person
    }
}
