public import Foundation

/// Lets the initializers below return a predicate of a class of this module; not for other use.
public protocol PredicateMaking {}

extension NSPredicate: PredicateMaking {}

extension PredicateMaking where Self: NSPredicate {
    /// Makes a predicate from a format string, as the original does.
    ///
    /// Understood are key paths (`%K`), values (`%@ %d %i %u %ld %lu %lld %llu %f %g %lf`), literals,
    /// `= == != <> < <= > >=`, `IN`, `BETWEEN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`,
    /// `MATCHES` (with `[c]` and `[d]`), `AND`, `OR`, `NOT`, parentheses, `TRUEPREDICATE`,
    /// `FALSEPREDICATE`, `nil`, `YES`, `NO` and `metadata.KEY`. A string that does not parse, or an
    /// argument that is missing, ends the process; `NSPredicate.validate(format:arguments:)` throws instead.
    public init(format predicateFormat: String, _ arguments: Any?...) {
        self = NSPredicate.structured(predicateFormat, arguments) as! Self
    }

    /// Makes a predicate from a format string and its arguments in an array.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = NSPredicate.structured(predicateFormat, arguments ?? []) as! Self
    }
}

extension NSPredicate {
    /// Checks a format string with its arguments without making a predicate.
    ///
    /// - Throws: ``PredicateFormatError`` with the reason and the place in the string.
    public static func validate(format: String, arguments: [Any?]) throws {
        _ = try PredicateFormatParser.parse(format, arguments: arguments)
    }

    fileprivate static func structured(_ format: String, _ arguments: [Any?]) -> StructuredPredicate {
        do {
            return StructuredPredicate(try PredicateFormatParser.parse(format, arguments: arguments))
        } catch {
            ProgrammerError.raise("\(error)")
        }
    }
}
