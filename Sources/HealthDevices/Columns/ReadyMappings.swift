import Foundation

/// The mappings of services whose files are recognized without one.
enum ReadyMappings {
    /// A mapping that can't be read is a mistake of this source.
    static let all: [ColumnMapping] = {
        do {
            return try ColumnMappingReader.readAll(withings) + ColumnMappingReader.readAll(whoop)
        } catch {
            preconditionFailure("A ready mapping is invalid: \(error)")
        }
    }()

    /// The mapping for a file with this name and these columns.
    static func mapping(for name: String, header: [String]) -> ColumnMapping? {
        all.first { mapping in
            mapping.isFor(name) && (try? ColumnTable(mapping, header: header)) != nil
        }
    }
}
