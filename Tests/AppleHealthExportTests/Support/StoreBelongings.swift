import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthImport

/// The memberships in a store by UUID, for comparing stores whose samples and objects kept their UUIDs.
struct StoreBelongings: Equatable {
    /// UUIDs that were given by applications or an import.
    private(set) var identities: Set<UUID> = []
    private(set) var members: [UUID: Set<UUID>] = [:]
    private(set) var series: [UUID: QuantitySeries] = [:]
    private(set) var files: [UUID: [AttachmentRecord]] = [:]
    private(set) var bytes: [UUID: [UInt8]] = [:]

    init(_ engine: HealthEngine) throws {
        try engine.readContents { contents in
            for type in try contents.types() {
                try contents.visitPages(of: type.code) { header, body in
                    let page = try PageReader(header: header, body: body).read([.sequences, .uuids])
                    identities.formUnion(page.sequences.indices.compactMap { page.uuid(at: $0) })
                    return true
                }
                try contents.visitObjects(of: type.code) { object in
                    guard let uuid = object.uuid else { return true }
                    if contents.isGivenIdentity(of: object) { identities.insert(uuid) }
                    let samples = try contents.memberRows(of: object.sequence).flatMap { rows in
                        rows.sequences.indices.map {
                            rows.uuid(at: $0) ?? contents.identities.uuid(for: rows.sequences[$0])
                        }
                    }
                    let all = Set(try samples + contents.memberObjects(of: object.sequence))
                    if !all.isEmpty { members[uuid] = all }
                    return true
                }
                try contents.visitQuantitySeries(of: type.code) { series[$0] = $1 }
            }
            try contents.visitAttachments { owner, _, records in
                files[owner] = records
                for record in records {
                    bytes[record.identifier] = try (0..<record.pieceCount).flatMap {
                        try contents.attachmentPiece($0, of: record.identifier)
                    }
                }
            }
        }
    }
}
