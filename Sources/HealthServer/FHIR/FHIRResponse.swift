import Foundation
import HTTPTypes
import HealthFormats
import HealthJSON
import Hummingbird
import NIOCore

/// Responses of the FHIR API.
enum FHIRResponse {
    static let media = "application/fhir+json; charset=utf-8"

    /// A resource that is already written.
    static func resource(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: media], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A resource with its members.
    static func resource(
        _ type: String, status: HTTPResponse.Status = .ok, _ members: (inout JSONText) -> Void
    ) -> Response {
        let bytes = JSONText.objectBytes { json in
            json.member("resourceType", text: type)
            members(&json)
        }
        return resource(bytes, status: status)
    }

    /// A problem as an OperationOutcome.
    static func outcome(_ problem: Problem) -> Response {
        var response = resource("OperationOutcome", status: problem.status) { json in
            json.array("issue") { json in
                json.object { json in
                    json.member("severity", text: "error")
                    json.member("code", text: issues[problem.status.code] ?? "exception")
                    json.object("details") { json in json.member("text", text: problem.code.title) }
                    json.member("diagnostics", text: problem.detail)
                }
            }
        }
        for field in problem.headers where field.name != .contentType { response.headers[field.name] = field.value }
        return response
    }
}

/// Turns problems of the FHIR API into OperationOutcomes.
struct FHIRProblems: RouterMiddleware {
    typealias Context = ServerRequestContext

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            // What isn't a problem yet is unexpected; the server logs it and answers with an outcome as well.
            let problem = Problem(error)
            guard problem.status.code < 500 || error is Problem || error is any HTTPResponseError else { throw error }
            return FHIRResponse.outcome(problem)
        }
    }
}

extension PersonRequestContext {
    /// The root of the FHIR API of the person in URLs.
    func fhirURL(of request: Request) -> String { core.url(of: request) + "/fhir/R4/people/" + person.person }
}
