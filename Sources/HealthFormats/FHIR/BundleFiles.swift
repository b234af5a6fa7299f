import Foundation
import HealthSQL

/// Bundles of type “collection”, a file each, of at most so many entries.
struct BundleFiles {
    private let folder: String
    private let name: String
    private let greatestCount: Int
    private var file: OutputFile?
    private var count = 0
    private(set) var files = 0

    init(_ folder: String, name: String, greatestCount: Int) {
        self.folder = folder
        self.name = name
        self.greatestCount = greatestCount
    }

    mutating func add(_ resource: [UInt8], id: String) throws {
        if count == greatestCount { try finish() }
        if file == nil {
            files += 1
            let number = String(String(10_000 + files).dropFirst())
            file = try OutputFile("\(folder)/\(name)-\(number).json")
            try file?.write(Array("{\"resourceType\":\"Bundle\",\"type\":\"collection\",\"entry\":[\n".utf8))
        }
        let opening = (count > 0 ? ",\n" : "") + "{\"fullUrl\":\"urn:uuid:\(id)\",\"resource\":"
        try file?.write(Array(opening.utf8) + resource + [UInt8(ascii: "}")])
        count += 1
    }

    mutating func finish() throws {
        try file?.write(Array("\n]}\n".utf8))
        try file?.finish()
        file = nil
        count = 0
    }
}
