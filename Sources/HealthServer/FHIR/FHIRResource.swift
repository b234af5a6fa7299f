import Foundation
import HTTPTypes
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import HealthStorage
import Hummingbird

/// The FHIR R4 read API of one person: observations and the patient.
///
/// Observations are samples, blood pressure panels, workouts and electrocardiograms, with HealthKit's identifiers and,
/// where one certainly applies, LOINC codes; units are UCUM. It only reads.
struct FHIRResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("metadata", use: metadata)
        group.get("Observation", use: search)
        group.get("Observation/{id}", use: read)
        group.get("Patient", use: patients)
        group.get("Patient/{id}", use: patient)
    }

    @Sendable private func metadata(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        CapabilityStatement.response(url: FHIRBase(request, context).url, now: context.now)
    }

    // MARK: Observations

    @Sendable private func search(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        let zone = calendar.timeZone
        let isStrict = request.headers[values: .prefer].contains { $0.contains("handling=strict") }
        let page = try await context.read { [parameters] engine, caller in
            var parameters = parameters
            let search = try FHIRSearch(&parameters, engine: engine, caller: caller, timeZone: zone, isStrict: isStrict)
            return try search.page(from: engine, as: caller, timeZone: zone)
        }
        let base = FHIRBase(request, context).url
        return bundle(
            base: base, type: "Observation", request: request, next: page.next?.text, total: page.total,
            entries: page.observations)
    }

    @Sendable private func read(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (_, calendar) = try context.parameters(of: request)
        let (uuid, zone) = (try context.uuid("id"), calendar.timeZone)
        return try await context.read { engine, caller in
            let selection = try engine.sample(uuid, as: caller)
            let resources = FHIRResources(selection, of: engine, timeZone: zone)
            guard let found = selection.order.first.flatMap({ resources.observation(at: $0, in: selection) }) else {
                throw Problem(.notFound, "Observation not found or not accessible.")
            }
            return FHIRResponse.resource(found.resource)
        }
    }

    // MARK: The person

    @Sendable private func patients(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (id, resource) = try await person(context)
        let wanted = request.uri.queryParameters["_id"].map { String($0) }
        let isWanted = wanted == nil || wanted?.lowercased() == id
        return bundle(
            base: FHIRBase(request, context).url, type: "Patient", request: request, next: nil, total: isWanted ? 1 : 0,
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
                    let rest = query.split(separator: "&").filter { !$0.hasPrefix("_cursor=") } + ["_cursor=\(next)"]
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

extension HTTPField.Name {
    fileprivate static let prefer = Self("Prefer")!
}

/// `GET /fhir/R4/metadata`, for everyone: what the server can do, without health data.
struct FHIRMetadataResource: ServerResource {
    let core: ServerCore

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        let core = core
        group.get("/fhir/R4/metadata") { request, _ in
            CapabilityStatement.response(url: FHIRBase.server(request, core) + "/fhir/R4", now: core.now())
        }
    }
}
