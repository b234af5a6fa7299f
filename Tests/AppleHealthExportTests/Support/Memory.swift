import Foundation

/// What the process has held at most.
enum Memory {
    /// Bytes.
    static var peak: Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss << 10
    }
}
