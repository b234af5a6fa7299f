import Foundation
import HealthAnswers
import HealthEngine
import HealthModel
import Hummingbird

extension QueryParameters {
    /// Reads the query of a request's URL.
    ///
    /// - Throws: ``ParameterError`` for text that is not percent-encoded UTF-8.
    init(_ request: Request) throws {
        try self.init(query: request.uri.query ?? "")
    }

    /// One of some texts.
    mutating func choice(_ name: String, of texts: [String]) throws -> String? {
        guard let text = try text(name) else { return nil }
        guard texts.contains(text) else {
            throw Self.problem(name, text, "is not one of \(texts.joined(separator: ", ")).")
        }
        return text
    }

    /// One of the cases of an enumeration, by its raw value.
    mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Value.Type
    ) throws -> Value? {
        try choice(name, of: Value.allCases.map(\.rawValue)).flatMap { Value(rawValue: $0) }
    }
}

extension Parameters {
    /// A text in the path, of which clients percent-encode characters such as `@`.
    ///
    /// - Throws: ``Problem`` `notFound` for a text that is not percent-encoded UTF-8: nothing has this name.
    func text(_ name: String) throws -> String {
        guard let text = try require(name).removingPercentEncoding else {
            throw Problem(.notFound, "Resource not found.")
        }
        return text
    }
}

extension PersonRequestContext {
    /// The parameters of a request and the calendar for them.
    func parameters(of request: Request) throws -> (QueryParameters, Calendar) {
        (try QueryParameters(request), try calendar(of: request))
    }

    /// The value that was read from the parameters of a request, and the calendar for them.
    ///
    /// - Throws: ``ParameterError`` for a parameter that isn’t read.
    func parameters<Value>(
        of request: Request, _ read: (inout QueryParameters) throws -> Value
    ) throws -> (Value, Calendar) {
        var (parameters, calendar) = try self.parameters(of: request)
        let value = try read(&parameters)
        try parameters.finish()
        return (value, calendar)
    }

    /// The calendar for a request that has no other parameter than those of every route.
    ///
    /// - Throws: ``ParameterError`` for any other parameter.
    func calendarOnly(of request: Request) throws -> Calendar {
        try self.parameters(of: request) { _ in }.1
    }

    /// A UUID in the path.
    ///
    /// - Throws: ``Problem`` `notFound` for a text that is not a UUID: nothing has this name.
    func uuid() throws -> UUID {
        guard let text = parameters.get("uuid"), let uuid = UUID(uuidString: text) else {
            throw Problem(.notFound, "No object with this UUID was found, or it’s not accessible.")
        }
        return uuid
    }
}

extension HealthEngine {
    /// The types of a parameter that lists identifiers and short names; `nil` without it.
    ///
    /// - Throws: ``ParameterError`` for a name of no type.
    func types(_ names: [String]?, parameter: String) throws -> [TypeDescription]? {
        let dictionaries = try dictionaries()
        return try names?.map { try QueryParameters.type($0, parameter: parameter, dictionaries) }
    }
}
