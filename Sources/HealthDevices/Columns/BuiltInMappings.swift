import Foundation

/// The mappings of services whose files are recognized without one.
enum BuiltInMappings {
    /// A mapping that can't be read is a mistake of this source.
    static let all: [ColumnMapping] = {
        do {
            return try ColumnMappingReader.readAll(withings) + ColumnMappingReader.readAll(whoop)
        } catch {
            preconditionFailure("A ready mapping is invalid: \(error)")
        }
    }()

    /// The mapping for a file with this name and these columns.
    ///
    /// - Parameter isLone: Whether the file is given by itself, whose name may be lost: columns that only one file of a
    ///   service has are enough.
    static func mapping(for name: String, header: [String], isLone: Bool) -> ColumnMapping? {
        let fitting = mappings(header: header)
        return fitting.first { $0.isFor(name) } ?? (isLone && fitting.count == 1 ? fitting[0] : nil)
    }

    /// The name of one of several files with these columns, which only differ in their names.
    static func example(of header: [String]) -> String? {
        mappings(header: header).lazy.compactMap(\.files.first).first?.replacing("*", with: "hr")
    }

    /// More than the header of any of these tables has, in bytes. The first line of a file that isn’t a table can be all of
    /// it, and would be compared with every mapping.
    private static let maximumHeaderBytes = 64 << 10

    private static func mappings(header: [String]) -> [ColumnMapping] {
        guard header.reduce(0, { $0 + $1.utf8.count }) <= maximumHeaderBytes else { return [] }
        return all.filter { (try? ColumnTable($0, header: header)) != nil }
    }
}
