import Foundation
import HealthEngine
import HealthJSON
import HealthModel

/// The members of a quantity sample, which most batches consist of.
private enum PlainMember {
    case type, startDate, endDate, quantity, unit, uuid

    /// The member with a name; `nil` for any other name.
    @inline(__always)
    init?(name: UnsafeBufferPointer<UInt8>) {
        switch name.count {
        case 4 where Self.equal(name, "type"): self = .type
        case 4 where Self.equal(name, "unit"): self = .unit
        case 4 where Self.equal(name, "uuid"): self = .uuid
        case 7 where Self.equal(name, "endDate"): self = .endDate
        case 8 where Self.equal(name, "quantity"): self = .quantity
        case 9 where Self.equal(name, "startDate"): self = .startDate
        default: return nil
        }
    }

    /// Compares as many bytes as both have.
    @inline(__always)
    private static func equal(_ name: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        for index in 0..<name.count where name[index] != text.utf8Start[index] { return false }
        return true
    }
}

/// What ``PlainMember`` names.
private struct PlainFields {
    var uuid: UUID?
    var type: SampleJSONReader.KnownType?
    var start: Double?
    var end: Double?
    var quantity: Double?
    var unit: String?

    /// Sets the members that were read.
    func merge(into fields: inout SampleFields) {
        fields.uuid = uuid
        fields.type = type?.type
        fields.start = start
        fields.end = end
        fields.quantity = quantity
        fields.unit = unit
    }
}

extension SampleJSONReader {
    /// Reads a sample, or an object with its members.
    ///
    /// A sample with no members but the plain ones becomes a row at once. Only others need ``SampleFields``, which is
    /// large.
    mutating func sample(_ json: inout JSONReader, into collector: inout BatchCollector) throws {
        var (plain, others) = (PlainFields(), SampleFields?.none)
        try json.object(known: { PlainMember(name: $0) }) { json, name in
            if try json.acceptNull() { return }
            switch name {
            case .known(.type): plain.type = try type(&json)
            case .known(.startDate): plain.start = try values.instant(&json, "startDate")
            case .known(.endDate): plain.end = try values.instant(&json, "endDate")
            case .known(.quantity): plain.quantity = try values.number(&json, "quantity")
            case .known(.unit): plain.unit = try values.unit(&json, "unit")
            case .known(.uuid): plain.uuid = try values.uuid(&json, "uuid")
            case .other(let name):
                if others == nil { others = SampleFields() }
                try read(name, &json, into: &others!)
            }
        }
        if others == nil, let type = plain.type, type.type.kind == .quantity, let start = plain.start,
            let quantity = plain.quantity, let unit = plain.unit
        {
            return collector.append(
                type: type.type.code, start: start, end: plain.end ?? start, value: quantity, unit: unit,
                uuid: plain.uuid)
        }
        var fields = others ?? SampleFields()
        plain.merge(into: &fields)
        collector.append(try item(fields))
    }
}
