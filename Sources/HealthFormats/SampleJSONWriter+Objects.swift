import Foundation
import HealthJSON
package import HealthModel

extension SampleJSONWriter {
    /// Appends an object: a workout, a correlation, an electrocardiogram …
    package mutating func write(_ object: ObjectRecord) {
        let type = dictionaries.type(object.type)
        // Objects that were read always have an identity.
        begin(object.type, object.uuid)
        add(Array(instants.text(object.start).utf8))
        add("\",\"endDate\":\"")
        add(Array(instants.text(object.end).utf8))
        add("\"")
        addBody(of: object, type)
        add(Self.members(of: object.revision))
        add(Self.members(of: object.device))
        addMetadata(object.metadata)
        end(object.sequence)
    }

    private mutating func addBody(of object: ObjectRecord, _ type: TypeDescription?) {
        var json = JSONText()
        json.object { json in
            switch object.body {
            case .none: break
            case .workout(let workout):
                json.members(of: workout, instants) { unit, identifier in
                    dictionaries.type(identifier: identifier).map { shown(unit, of: $0.code) } ?? (unit, .identity)
                }
            case .document(let document): add(document, of: type, to: &json)
            case .activitySummary(let summary): json.members(of: summary)
            case .archived(let element):
                json.key("archived")
                json.element(element)
            }
            if type?.kind == .correlation {
                json.array("objects") { json in for member in object.members { write(member, to: &json) } }
            }
        }
        // The members follow others.
        guard json.bytes.count > 2 else { return }
        add(",")
        add(Array(json.bytes.dropFirst().dropLast()))
    }

    /// Writes a member of a correlation.
    private func write(_ sample: SampleRecord, to json: inout JSONText) {
        let type = dictionaries.type(sample.type)
        json.object { json in
            if options.includesIdentities { json.member("uuid", text: sample.uuid?.uuidString) }
            json.member("type", text: type?.identifier ?? "")
            json.member("startDate", instant: sample.start, instants)
            json.member("endDate", instant: sample.end, instants)
            if type?.kind == .category {
                json.member("value", integer: Int(exactly: sample.value))
                json.member(
                    "valueName",
                    text: type.flatMap { type in
                        Int(exactly: sample.value).flatMap { ValueNames.name(of: $0, of: type) }
                    })
            } else {
                let (unit, conversion) = shown(sample.unit, of: sample.type)
                json.key("quantity")
                json.decimal(conversion(sample.value))
                json.member("unit", text: unit)
            }
            json.member("metadata", metadata: sample.metadata, instants)
        }
    }

    // MARK: Documents

    private func add(_ document: DocumentBody, of type: TypeDescription?, to json: inout JSONText) {
        switch type?.identifier {
        case "HKDataTypeIdentifierElectrocardiogram":
            json.members(ofElectrocardiogram: document, includesSeries: options.includesSeries)
        case "HKDataTypeIdentifierHeartbeatSeries":
            json.member("count", integer: document.series[HeartbeatSeriesDocument.offsets]?.count ?? 0)
            if options.includesSeries { json.heartbeats(document) }
        case "HKWorkoutRouteTypeIdentifier":
            json.member("count", integer: document.series[RouteDocument.Column.timestamps.rawValue]?.count ?? 0)
            if options.includesSeries { json.locations(document, instants) }
        default:
            if !document.fields.isEmpty {
                json.key("fields")
                json.values(document.fields, instants)
            }
            guard options.includesSeries, !document.series.isEmpty else { return }
            json.key("series")
            json.series(document.series)
        }
    }
}
