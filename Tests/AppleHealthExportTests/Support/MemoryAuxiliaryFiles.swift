import ArchiveTestSupport
import HealthFiles
@testable import AppleHealthExport

/// Auxiliary files that are only in memory, by path without the first slash.
struct MemoryAuxiliaryFiles: AuxiliaryFiles {
    var files: [String: [UInt8]] = [:]

    init(_ files: [String: String] = [:]) {
        self.files = files.mapValues { Array($0.utf8) }
    }

    func paths(inFolder name: String) -> [String] {
        files.keys.filter { $0.hasPrefix(name + "/") }.sorted().map { "/" + $0 }
    }

    func source(of path: String, limit: Int) throws(AuxiliaryFileError) -> any ByteSource {
        guard let bytes = files[try AuxiliaryPath(path).parts.joined(separator: "/")] else { throw .missing }
        return try LimitedByteSource(MemorySource(bytes, step: 1_000), limit: limit)
    }
}
