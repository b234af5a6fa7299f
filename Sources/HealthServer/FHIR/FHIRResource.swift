import Foundation
import HTTPTypes
import HealthAccess
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HealthStorage
import Hummingbird

/// The FHIR R4 read API of one person: observations, clinical records and the patient.
///
/// Observations are samples, blood pressure panels, workouts and their routes, electrocardiograms, audiograms and the
/// rings of days, with HealthKit's identifiers and, where one certainly applies, LOINC codes; units are UCUM. Clinical
/// records are the resources of their institutions. It only reads.
struct FHIRResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("metadata") { CapabilityStatement.response(url: $1.fhirURL(of: $0), now: $1.now) }
        for type in ["Observation"] + ClinicalResource.types {
            group.get("\(type)") { try await search(type, $0, $1) }
            group.get("\(type)/{id}") { try await read(type, $0, $1) }
        }
        group.get("Patient", use: patients)
        group.get("Patient/{id}", use: patient)
    }

    // MARK: Observations and clinical records

    private func search(
        _ type: String, _ request: Request, _ context: PersonRequestContext
    ) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        let zone = calendar.timeZone
        let isStrict = request.headers[values: .prefer].contains { $0.contains("handling=strict") }
        let page = try await context.read { [parameters] engine, caller in
            var parameters = parameters
            let search = try FHIRSearch(
                type, &parameters, engine: engine, caller: caller, timeZone: zone, isStrict: isStrict)
            return try search.page(from: engine, as: caller, timeZone: zone)
        }
        let base = context.fhirURL(of: request)
        return bundle(
            base: base, type: type, request: request, next: page.next?.text, total: page.total, entries: page.resources)
    }

    private func read(
        _ type: String, _ request: Request, _ context: PersonRequestContext
    ) async throws -> Response {
        let (_, calendar) = try context.parameters(of: request)
        let (id, zone) = (try context.parameters.text("id"), calendar.timeZone)
        return try await context.read { engine, caller in
            if type == "Observation", let uuid = UUID(uuidString: id) {
                do {
                    let selection = try engine.sample(uuid, as: caller)
                    let resources = FHIRResources(selection, of: engine, timeZone: zone)
                    if let found = selection.order.first.flatMap({ resources.resource(at: $0, in: selection) }) {
                        return FHIRResponse.resource(found.resource)
                    }
                } catch let problem as Problem where problem.code == .notFound {}
            }
            // Institutions have their own identifiers, and the rings of a day are computed.
            var parameters = QueryParameters(["_id": id, "_total": "none"])
            let search = try FHIRSearch(
                type, &parameters, engine: engine, caller: caller, timeZone: zone, isStrict: false)
            if let found = try search.page(from: engine, as: caller, timeZone: zone).resources.first {
                return FHIRResponse.resource(found.resource)
            }
            if type == "Observation", let activity = FHIRResources.activityType,
                try !engine.readable([activity], as: caller).isEmpty,
                let day = try FHIRResources.activities(of: engine, as: caller, timeZone: zone).first(where: {
                    $0.id.uuidString.lowercased() == id.lowercased()
                })
            {
                return FHIRResponse.resource(day.resource)
            }
            throw Problem(.notFound, "\(type) not found or not accessible.")
        }
    }

    // MARK: The person

    @Sendable private func patients(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (id, resource) = try await person(context)
        let wanted = request.uri.queryParameters["_id"].map { String($0) }
        let isWanted = wanted == nil || wanted?.lowercased() == id
        return bundle(
            base: context.fhirURL(of: request), type: "Patient", request: request, next: nil, total: isWanted ? 1 : 0,
            entries: isWanted ? [(id, resource)] : [])
    }

    @Sendable private func patient(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (id, resource) = try await person(context)
        guard context.parameters.get("id")?.lowercased() == id else {
            throw Problem(.notFound, "Patient not found.")
        }
        return FHIRResponse.resource(resource)
    }

    /// The patient, with what the caller may read of the characteristics.
    private func person(_ context: PersonRequestContext) async throws -> (id: String, resource: [UInt8]) {
        let zone = context.timeZone
        return try await context.read { engine, caller in
            var profile = try engine.withReader(as: Caller(revision: caller.revision, permission: .owner)) {
                try $0.profile()
            }
            func mayRead(_ name: String) throws -> Bool {
                guard let type = TypeCatalog.description(for: "HKCharacteristicTypeIdentifier" + name) else {
                    return false
                }
                return try !engine.readable([type], as: caller).isEmpty
            }
            if try !mayRead("DateOfBirth") { profile.dateOfBirth = nil }
            if try !mayRead("BiologicalSex") { profile.biologicalSex = nil }
            let id = engine.identity().uuid
            let resources = FHIRResources(
                dictionaries: StoreDictionaries(), identities: try engine.withReader(as: caller) { $0.identities },
                timeZone: zone, patient: id)
            return (id.uuidString.lowercased(), resources.patient(profile))
        }
    }

    // MARK: Bundles

    private func bundle(
        base: String, type: String, request: Request, next: String?, total: Int?,
        entries: [(id: String, resource: [UInt8])]
    ) -> Response {
        let query = request.uri.query ?? ""
        let own = "\(base)/\(type)" + (query.isEmpty ? "" : "?" + query)
        return FHIRResponse.resource("Bundle") { json in
            json.member("type", text: "searchset")
            json.member("total", integer: total)
            json.array("link") { json in
                func link(_ relation: String, _ url: String) {
                    json.object { json in
                        json.member("relation", text: relation)
                        json.member("url", text: url)
                    }
                }
                link("self", own)
                if let next {
                    let rest =
                        query.split(separator: "&").filter { !$0.hasPrefix("_cursor=") && !$0.hasPrefix("_known=") }
                        + ["_cursor=\(next)"] + (total.map { ["_known=\($0)"] } ?? [])
                    link("next", "\(base)/\(type)?\(rest.joined(separator: "&"))")
                }
            }
            guard !entries.isEmpty else { return }
            json.array("entry") { json in
                for entry in entries {
                    json.object { json in
                        json.member("fullUrl", text: "\(base)/\(type)/\(entry.id)")
                        json.key("resource")
                        entry.resource.withUnsafeBufferPointer { json.raw($0) }
                        json.object("search") { json in json.member("mode", text: "match") }
                    }
                }
            }
        }
    }
}

/// `GET /fhir/R4/metadata`, for everyone: what the server can do, without health data.
struct FHIRMetadataResource: ServerResource {
    let core: ServerCore

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        let core = core
        group.get("/fhir/R4/metadata") { request, _ in
            CapabilityStatement.response(url: core.url(of: request) + "/fhir/R4", now: core.now())
        }
    }
}
