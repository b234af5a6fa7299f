/// Why a file can't be read, as the end of a sentence about it.
package struct FileReadingError: Error, Hashable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

extension FileReadingError {
    /// The reason of an error of reading a file.
    init(describing error: any Error) {
        switch error {
        case let error as FileReadingError: self = error
        case let error as ZipError: self.init("\(error)")
        case let error as ImportError: self.init(error.description)
        default: self.init("it can’t be read")
        }
    }
}
