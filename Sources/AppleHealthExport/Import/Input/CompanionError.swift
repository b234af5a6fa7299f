/// Why a file beside the main file cannot be had; the end of a sentence about the element that names
/// it, without the name itself (names of files hold dates).
struct CompanionError: Error, Hashable {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// What reading such a file threw.
    init(_ error: any Error) {
        if let error = error as? CompanionError {
            self = error
        } else if error is ZipError {
            reason = "its file is damaged in the zip"
        } else {
            reason = "its file cannot be read"
        }
    }

    static let missing = CompanionError("its file is missing")
    static let outside = CompanionError("its path leads out of the archive")
}
