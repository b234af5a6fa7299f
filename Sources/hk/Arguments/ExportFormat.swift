import ArgumentParser

/// What `hk export` writes.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    /// An Apple Health archive.
    case apple
    /// A folder of tables, one file a type.
    case csv
    /// One JSON object a line.
    case ndjson
    /// A SQLite file of plain tables.
    case sqlite
    /// A folder of FHIR R4 bundles.
    case fhir
}
