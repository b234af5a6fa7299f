import Foundation
import HealthEngine
import UniformTypeIdentifiers

/// A file that becomes an attachment.
struct AttachmentFile: Sendable {
    let name: String
    let contentType: UTType
    let url: URL

    init(_ name: String, _ contentType: UTType, _ url: URL) {
        self.name = name
        self.contentType = contentType
        self.url = url
    }

    /// What the rules say of the file as such.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` and ``HKError/errorDataSizeExceeded``; their texts hold no path.
    static func validate(name: String, isFile: Bool, size: Int) throws {
        guard !name.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "An attachment must have a name.")
        }
        guard isFile, size >= 0 else {
            throw HKError.make(.errorInvalidArgument, "The attachment's URL is not that of a readable file.")
        }
        guard size <= HKAttachmentStore.greatestSize else {
            throw HKError.make(
                .errorDataSizeExceeded,
                "The attachment is larger than the \(HKAttachmentStore.greatestSize) bytes allowed.")
        }
    }

    /// The file opened, and its size.
    func open() throws -> (handle: FileHandle, size: Int) {
        var isFolder = ObjCBool(false)
        let isThere = url.isFileURL && FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        let handle = isThere && !isFolder.boolValue ? try? FileHandle(forReadingFrom: url) : nil
        let size = handle.flatMap { try? $0.seekToEnd() } ?? 0
        try Self.validate(name: name, isFile: handle != nil, size: Int(clamping: size))
        guard let handle else { throw HKError.make(.errorInvalidArgument, "The attachment cannot be read.") }
        try handle.seek(toOffset: 0)
        return (handle, Int(clamping: size))
    }
}
