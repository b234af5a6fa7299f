import Foundation
import HealthEngine
import HealthModel

/// What a secure archive holds of one object: its record, and the names of the types in it.
///
/// Type codes are a store's own for types outside the catalog, so an archive names them.
struct ObjectArchive: Codable {
    /// One type by name.
    struct NamedType: Codable {
        var code: TypeCode
        var identifier: String
        var kind: TypeKind

        /// What this version knows of the type; next to nothing for one outside the catalog.
        var description: TypeDescription {
            TypeCatalog.description(for: identifier)
                ?? TypeDescription(code: code, identifier: identifier, kind: kind)
        }
    }

    enum Item: Codable {
        case sample(SampleRecord)
        case object(ObjectRecord)
    }

    var types: [NamedType]
    var item: Item

    /// `nil` for an object of a class without a record.
    init?(_ object: HKObject) {
        guard let sample = object as? HKSample else { return nil }
        var met: [TypeCode: HKSampleType] = [sample.sampleType.code: sample.sampleType]
        for member in (sample as? HKCorrelation)?.objects ?? [] {
            met[member.sampleType.code] = member.sampleType
        }
        types = met.sorted { $0.key < $1.key }.map { code, type in
            NamedType(code: code, identifier: type.identifier, kind: type.typeDescription.kind)
        }
        switch RecordEncoder.item(object) {
        case .sample(let record): item = .sample(record)
        case .object(var record):
            if let workout = sample as? HKWorkout { record.members = workout.members }
            item = .object(record)
        case nil: return nil
        }
    }

    /// Identity and context of a record; `nil` when a field that every object has is missing or senseless.
    func base(of record: SampleRecord) -> (identity: UUID, context: ObjectContext)? {
        base(
            uuid: record.uuid, type: record.type, start: record.start, end: record.end,
            revision: record.revision, device: record.device, metadata: record.metadata)
    }

    /// Identity and context of a record; `nil` when a field that every object has is missing or senseless.
    func base(of record: ObjectRecord) -> (identity: UUID, context: ObjectContext)? {
        base(
            uuid: record.uuid, type: record.type, start: record.start, end: record.end,
            revision: record.revision, device: record.device, metadata: record.metadata)
    }

    /// The members of a correlation; `nil` when one of them makes no sense.
    func members(of record: ObjectRecord) -> Set<HKSample>? {
        var samples: Set<HKSample> = []
        for member in record.members {
            guard let base = base(of: member),
                let sample = RecordDecoder.sample(member, identity: base.identity, context: base.context)
            else { return nil }
            samples.insert(sample)
        }
        return samples
    }

    private func base(
        uuid: UUID?, type: TypeCode, start: Double, end: Double, revision: SourceRevisionRecord?,
        device: DeviceRecord?, metadata: Metadata
    ) -> (identity: UUID, context: ObjectContext)? {
        guard let uuid, start <= end,
            let name = types.first(where: { $0.code == type }),
            let sampleType = HKSampleType.described(by: name.description)
        else { return nil }
        let context = ObjectContext(
            type: sampleType, revision: revision.map { HKSourceRevision($0) },
            device: device.map { HKDevice($0) }, metadata: metadata)
        return (uuid, context)
    }
}
