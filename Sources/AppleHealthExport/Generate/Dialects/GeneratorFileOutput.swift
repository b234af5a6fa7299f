import Foundation

/// The main file alone, at a path.
final class GeneratorFileOutput: GeneratorOutput {
    let takesCompanions = false
    private let url: URL
    private var handle: FileHandle?
    private var isMain = true

    init(_ url: URL) {
        self.url = url
    }

    func begin(_ name: String) throws {
        isMain = handle == nil
        guard isMain else { return }
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        handle = try FileHandle(forWritingTo: url)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if isMain { try handle?.write(contentsOf: Data(bytes)) }
    }

    func finish() throws {
        try handle?.close()
    }
}
