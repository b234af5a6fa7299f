import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a process leaves behind that could contain health data: its files, and its memory if it crashes.
enum ProcessPrivacy {
    /// Makes every file and folder that this process creates its owner's only, whatever the user's umask.
    static func restrictFiles() {
        umask(0o077)
    }

    /// Keeps the memory of a process that runs for long out of core dumps and crash logs, unless
    /// `HEALTHKIT_CORE_DUMPS=allow`.
    ///
    /// The limit stops core files. A program that the kernel pipes dumps to may ignore it, so the filter leaves all memory out
    /// of them. Programs that this process starts inherit both.
    static func restrictDumps(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard environment["HEALTHKIT_CORE_DUMPS"] != "allow" else { return }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            setrlimit(RLIMIT_CORE, &none)
        #endif
        if let filter = FileHandle(forWritingAtPath: "/proc/self/coredump_filter") { try? filter.write(contentsOf: Data("0".utf8)) }
        // Swift's crash log shows memory that registers point to. Who sets its options wants it.
        if environment["SWIFT_BACKTRACE"] == nil {
            for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
        }
    }
}
