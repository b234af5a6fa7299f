import Foundation
import HTTPTypes
import HealthAnswers
import HealthEngine
import HealthKit
import HealthPages
import HealthStorage
import Hummingbird
import NIOCore
import NIOHTTP1

/// An error as clients receive it: problem details of RFC 9457, with a stable code.
///
/// A handler throws a problem, or any error of the lower layers, which ``init(_:)`` translates. The detail never
/// contains a health value, a date or metadata.
struct Problem: Error, Hashable, Sendable {
    /// A kind of problem. Clients compare ``name``, which never changes.
    struct Code: Hashable, Sendable {
        /// The stable name, such as `invalidParameter`.
        var name: String
        /// The status of the response.
        var status: HTTPResponse.Status
        /// A short summary, the same for every occurrence.
        var title: String

        init(_ name: String, _ status: HTTPResponse.Status, _ title: String) {
            self.name = name
            self.status = status
            self.title = title
        }
    }

    var code: Code
    /// A description of what was read, the reason for the error, and what to send instead.
    var detail: String
    /// Further header fields, such as `Retry-After`.
    var headers: HTTPFields
    /// The number of the sample in its batch, from 0.
    var index: Int?
    /// The member of the body with the problem.
    var member: String?

    init(_ code: Code, _ detail: String, headers: HTTPFields = [:]) {
        self.code = code
        self.detail = detail
        self.headers = headers
    }
}

extension Problem {
    /// Something that is limited and has to wait.
    init(tooMany what: String, seconds: Double) {
        let seconds = Int(max(seconds, 1).rounded(.up))
        self.init(
            .tooManyRequests, "\(what) Repeat the request in \(seconds) s.", headers: [.retryAfter: "\(seconds)"])
    }

    /// Translates an error of any layer.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as ParameterError: self.init(.invalidParameter, error.description)
        case let error as NotFoundError: self.init(.notFound, error.description)
        case let error as EngineError: self.init(engine: error)
        case let error as ValidationError: self.init(.validationFailed, error.reason)
        case let error as StorageError: self = error.kind.problem
        case is PageError: self = StorageError.Kind.damaged.problem
        case let error as HKError: self.init(healthKit: error)
        case is NIOTooManyBytesError: self.init(.bodyTooLarge, "The body is larger than the server accepts.")
        case let error as DecodingError: self.init(.invalidBody, Self.text(error))
        case let error as HTTPError: self.init(status: error.status, detail: error.body, headers: error.headers)
        case let error as any HTTPResponseError: self.init(status: error.status, detail: nil, headers: [:])
        // The client is gone; this is for the log.
        case is HTTPParserError, is ChannelError, is IOError:
            self.init(.badRequest, "The connection ended before the request did.")
        case is CancellationError: self.init(.unavailable, "The request was canceled.")
        default: self.init(.internalError, "The request can’t be completed. The server’s log has the reason.")
        }
    }

    private init(engine error: EngineError) {
        switch error {
        case .invalidArgument(let reason): self.init(.invalidParameter, reason)
        case .authorizationDenied: self.init(.authorizationDenied, "The token isn’t permitted to write this type.")
        case .authorizationNotDetermined:
            self.init(.authorizationNotDetermined, "The person hasn’t decided about this type for the token.")
        case .noData: self.init(.notFound, "No data matches the request.")
        case .invalidAnchor:
            self.init(.invalidAnchor, "The anchor belongs to another store. Start again without an anchor.")
        }
    }

    private init(healthKit error: HKError) {
        let detail = error.localizedDescription
        switch error.code {
        case .errorInvalidArgument: self.init(.validationFailed, detail)
        case .errorAuthorizationDenied, .errorRequiredAuthorizationDenied: self.init(.authorizationDenied, detail)
        case .errorAuthorizationNotDetermined: self.init(.authorizationNotDetermined, detail)
        case .errorNoData: self.init(.notFound, detail)
        case .errorDataSizeExceeded: self.init(.bodyTooLarge, detail)
        case .errorDatabaseInaccessible:
            self =
                (error.userInfo[NSUnderlyingErrorKey] as? StorageError)?.kind.problem
                ?? Problem(.storeUnavailable, "The store can’t be opened.")
        case .unknownError where error.userInfo[NSUnderlyingErrorKey] is PageError:
            self = StorageError.Kind.damaged.problem
        default: self.init(.internalError, "The request can’t be completed. The server’s log has the reason.")
        }
    }

    /// The problem of an error that only has a status.
    init(status: HTTPResponse.Status, detail: String?, headers: HTTPFields) {
        let code = Code.byStatus[status] ?? Code("status\(status.code)", status, status.reasonPhrase)
        self.init(code, detail ?? "\(code.title).", headers: headers)
    }

    private static func text(_ error: DecodingError) -> String {
        let (path, problem) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .valueNotFound(_, let context): (context.codingPath, "is missing")
            case .typeMismatch(let type, let context): (context.codingPath, "isn’t of type \(type)")
            case .dataCorrupted(let context): (context.codingPath, "can’t be read")
            @unknown default: ([], "can’t be read")
            }
        guard !path.isEmpty else { return "The body isn’t valid JSON of the expected form." }
        let name: String = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return "“\(name.hasPrefix(".") ? String(name.dropFirst()) : name)” \(problem)."
    }
}

// MARK: - As a response

extension Problem {
    var status: HTTPResponse.Status { code.status }

    private struct Details: Encodable {
        var type: String
        var title: String
        var status: Int
        var detail: String
        var code: String
        var index: Int?
        var member: String?
    }

    /// The bytes of the problem details.
    var body: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let details = Details(
            type: "urn:openhealthkit:problem:\(code.name)", title: code.title, status: code.status.code, detail: detail,
            code: code.name, index: index, member: member)
        // The encoder doesn't fail for strings and integers.
        return (try? encoder.encode(details)) ?? Data()
    }

    /// The response.
    var response: Response {
        var fields = headers
        fields[.contentType] = "application/problem+json"
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
