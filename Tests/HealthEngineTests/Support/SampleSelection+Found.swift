import HealthEngine
import HealthModel

extension SampleSelection {
    /// The results in order.
    var found: [Found] {
        order.map { reference in
            switch reference {
            case .object(let index):
                let object = objects[Int(index)]
                return Found(
                    uuid: object.uuid, type: object.type, start: object.start, end: object.end, value: 0,
                    unit: "", revision: object.revision, device: object.device, metadata: object.metadata,
                    body: object.body)
            case .sample(let batch, let row):
                let batch = batches[Int(batch)]
                let row = Int(row)
                return Found(
                    uuid: batch.uuid(at: row) ?? identities.uuid(for: batch.sequences[row]), type: batch.type,
                    start: batch.starts[row], end: batch.ends[row], value: batch.values[row],
                    unit: dictionaries.unit(batch.units[row]), revision: dictionaries.revision(batch.revisions[row]),
                    device: dictionaries.device(batch.devices[row]), metadata: batch.metadata(at: row))
            }
        }
    }
}

extension ReferenceItem {
    var found: Found {
        Found(
            uuid: uuid, type: type, start: start, end: end, value: value, unit: unit, revision: revision,
            device: device, metadata: metadata, body: body)
    }
}
