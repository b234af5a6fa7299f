import Foundation
import HealthAnswers
import Hummingbird

extension QueryParameters {
    /// Reads the query of a request's URL.
    ///
    /// - Throws: ``ParameterError`` for text that is not percent-encoded UTF-8.
    init(_ request: Request) throws {
        try self.init(query: request.uri.query ?? "")
    }
}

extension PersonRequestContext {
    /// The parameters of a request and the calendar for them.
    func parameters(of request: Request) throws -> (QueryParameters, Calendar) {
        (try QueryParameters(request), try calendar(of: request))
    }

    /// A UUID in the path.
    ///
    /// - Throws: ``Problem`` `notFound` for a text that is not a UUID: nothing has this name.
    func uuid(_ name: String = "uuid") throws -> UUID {
        guard let text = parameters.get(name), let uuid = UUID(uuidString: text) else {
            throw Problem(.notFound, "No object with this UUID was found, or it’s not accessible.")
        }
        return uuid
    }
}
