import Foundation

/// A folder of files.
final class GeneratorFolderOutput: GeneratorOutput {
    let takesCompanions = true
    private let folder: URL
    private var handle: FileHandle?

    init(_ folder: URL) {
        self.folder = folder
    }

    func begin(_ name: String) throws {
        try handle?.close()
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        handle = try FileHandle(forWritingTo: url)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try handle?.write(contentsOf: Data(bytes))
    }

    func finish() throws {
        try handle?.close()
    }
}
