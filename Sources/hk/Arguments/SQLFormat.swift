import ArgumentParser
import HealthSQL

/// How `hk sql` answers.
enum SQLFormat: String, CaseIterable, ExpressibleByArgument {
    /// Aligned columns for people.
    case table
    case csv
    case json
    case ndjson

    /// The spelling for programs; `nil` for people's.
    var rows: RowFormat? { RowFormat(rawValue: rawValue) }
}
