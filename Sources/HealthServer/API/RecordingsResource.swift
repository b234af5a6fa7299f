import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import Hummingbird

/// Series and electrocardiograms.
struct RecordingsResource: PersonResource {
    private static let electrocardiogram = "HKDataTypeIdentifierElectrocardiogram"

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("series/{uuid}", use: series)
        group.get("electrocardiograms", use: list)
        group.get("electrocardiograms/{uuid}", use: read)
    }

    @Sendable private func list(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try await SampleList.response(
            named: "electrocardiograms", to: request, context, defaultOrder: .startDateDescending
        ) { _, _ in
            [TypeCatalog.description(for: Self.electrocardiogram)].compactMap { $0 }
        }
    }

    @Sendable private func read(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let calendar = try context.calendarOnly(of: request)
        let (uuid, zone) = (try context.uuid(), calendar.timeZone)
        return try await context.read { engine, caller in
            let selection = try engine.sample(uuid, as: caller, of: [.document])
            guard
                selection.objects.first.flatMap({ selection.dictionaries.type($0.type) })?.identifier
                    == Self.electrocardiogram
            else {
                throw Problem(.notFound, "No object with this UUID was found, or it’s not accessible.")
            }
            var writer = SampleJSONWriter(selection, timeZone: zone, options: .init(includesSeries: true))
            writer.write(selection)
            return Response(json: writer.bytes)
        }
    }

    @Sendable private func series(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let calendar = try context.calendarOnly(of: request)
        let (uuid, zone) = (try context.uuid(), calendar.timeZone)
        return try await context.read { engine, caller in
            let selection = try engine.sample(uuid, as: caller, of: [.quantity, .series])
            let instants = InstantWriter(timeZone: zone)
            if let object = selection.objects.first {
                guard let type = selection.dictionaries.type(object.type), case .document(let document) = object.body
                else {
                    throw Problem(.notFound, "The object has no series.")
                }
                return Response.object { json in
                    json.member("uuid", text: uuid.uuidString)
                    json.member("type", text: type.identifier)
                    if type.identifier == "HKWorkoutRouteTypeIdentifier" {
                        json.locations(document, instants)
                    } else {
                        json.heartbeats(document)
                    }
                }
            }
            guard let columns = selection.batches.first, let type = selection.dictionaries.type(columns.type) else {
                throw Problem(.notFound, "No object with this UUID was found, or it’s not accessible.")
            }
            let sample = columns.record(at: 0, dictionaries: selection.dictionaries, identities: selection.identities)
            // A sample that isn't a series has one quantity.
            let series =
                try engine.quantitySeries(of: [uuid], type: type.code, as: caller)[uuid]
                ?? QuantitySeries(starts: [sample.start], ends: [sample.end], values: [sample.value])
            return Response.object { json in
                json.member("uuid", text: uuid.uuidString)
                json.member("type", text: type.identifier)
                json.member("unit", text: sample.unit)
                json.array("quantities") { json in
                    for row in 0..<series.count {
                        json.object { json in
                            json.member("startDate", instant: series.starts[row], instants)
                            json.member("endDate", instant: series.ends[row], instants)
                            json.member("quantity", number: series.values[row])
                        }
                    }
                }
            }
        }
    }
}
