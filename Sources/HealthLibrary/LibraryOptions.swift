import Foundation
import HealthAnswers
import HealthJSON
import HealthModel

/// Options that are given as JSON.
enum LibraryOptions {
    /// Reads options.
    ///
    /// - Throws: ``ParameterError`` for text that isn't JSON, or of another form.
    static func decode<Options: Decodable>(_ options: Options.Type, _ json: [UInt8]) throws -> Options {
        do {
            return try JSONDecoder().decode(options, from: Data(json))
        } catch let error as DecodingError {
            switch error {
            case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
                throw ParameterError(
                    context.codingPath.last?.stringValue, "The option isn’t of type \(type).")
            case .keyNotFound(let key, _): throw ParameterError(key.stringValue, "This option is required.")
            default: throw ParameterError("options", "The options aren’t a JSON object.")
            }
        }
    }

    /// The instant of a text in ISO 8601.
    static func instant(_ text: String, _ timeZone: TimeZone) throws -> Date {
        guard let instant = LocalClock(timeZone: timeZone).instant(of: text) else {
            throw QueryParameters.problem("now", text, "is not a time. Use a form like 2025-05-01T08:00:00+02:00.")
        }
        return Date(reference: instant)
    }
}
