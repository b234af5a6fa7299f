import Foundation
package import HealthEngine
import HealthJSON
import HealthModel

/// Writes what apps can write of a store as a seed: lines of JSON, the samples as the API has them, which `HealthSeeding`
/// of HealthSync writes into a simulator or device. Docs/Format describes the file.
package struct SeedExporter {
    /// The version of the file's format.
    package static let version = 1
    /// The number of samples to read at once.
    private static let pageSize = 10_000

    private let options: FormatOptions

    package init(_ options: FormatOptions) {
        self.options = options
    }

    /// Writes the file, or writes to standard output for “-”.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, and storage errors.
    package func export(_ engine: HealthEngine, to path: String, as caller: Caller) throws -> FormatReport {
        try options.write(to: path, as: .file) { target in
            let file = try OutputFile(target)
            var report = FormatReport(files: 1)
            let types = try types(of: engine, as: caller, leavingOut: &report)
            // Who loads a correlation has to be permitted to write its objects.
            var written = Set(types)
            try visit(types.filter { $0.kind == .correlation }, of: engine, as: caller) { found in
                for member in found.objects.flatMap(\.members) {
                    if let type = found.dictionaries.type(member.type) { written.insert(type) }
                }
            }
            try file.write(Self.header(written.map(\.identifier).sorted()) + Self.newline)
            try visit(types, of: engine, as: caller) { found in
                var writer = SampleJSONWriter(found, timeZone: options.timeZone)
                writer.write(found, separatedBy: "\n")
                if found.count > 0 { try file.write(writer.bytes + Self.newline) }
                report.add("sample", found.count)
            }
            try file.finish()
            return report
        }
    }

    /// Reads the selected samples of some types in the order of the store, page by page.
    private func visit(
        _ types: [TypeDescription], of engine: HealthEngine, as caller: Caller, _ body: (SampleSelection) throws -> Void
    ) throws {
        var after: Int64 = 0
        var hasMore = !types.isEmpty
        while hasMore {
            let page = try engine.changes(
                ChangesRequest(
                    parts: types.map { SampleRequest.Part(type: $0.code, filter: options.selection.filter) },
                    after: after,
                    limit: Self.pageSize), as: caller)
            try body(page.added)
            after = page.sequence
            hasMore = page.added.count + page.deleted.count >= Self.pageSize
        }
    }

    private static let newline = [UInt8(ascii: "\n")]

    private static func header(_ types: [String]) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("format", text: "openhealthkit.seed")
            json.member("version", integer: version)
            json.member("types", texts: types)
        }
        return json.bytes
    }

    /// Whether HealthSync writes samples of a type: those that apps may write, without series and most documents.
    private static func isWritten(_ type: TypeDescription) -> Bool {
        switch type.kind {
        case .correlation: true
        case .quantity, .category, .workout: type.isShareable
        default: type.identifier == "HKDataTypeStateOfMind"
        }
    }

    /// The selected types that have samples and that apps can write; the samples of others are counted.
    private func types(
        of engine: HealthEngine, as caller: Caller, leavingOut report: inout FormatReport
    ) throws -> [TypeDescription] {
        var types: [TypeDescription] = []
        for type in TypeCatalog.all
        where ![.characteristic, .activitySummary].contains(type.kind) && options.selection.includes(type.code) {
            let isWritten = Self.isWritten(type)
            let found = try engine.samples(
                SampleRequest(
                    parts: [.init(type: type.code, filter: options.selection.filter)], limit: isWritten ? 1 : 0,
                    columns: .sequences),
                as: caller)
            if found.count == 0 { continue }
            if isWritten { types.append(type) } else { report.leaveOut(type.shortName, found.count) }
        }
        return types
    }
}
