public import Foundation

extension HKHealthStore.Configuration {
    /// Where a store is.
    public enum Location: Hashable, Sendable {
        /// ``HKHealthStore/Configuration-swift.struct/defaultStorePath``.
        case `default`
        /// A file; it is made when it is not there, with the folders above it.
        case file(URL)
        /// Nowhere but in memory. Stores of one name share their data while one of them is there; each
        /// store without a name is alone.
        case inMemory(name: String?)
    }

    /// The default store's file.
    public static var defaultStorePath: String { defaultStorePath(in: ProcessInfo.processInfo.environment) }

    /// The default store's file under an environment: `$HEALTHKIT_STORE`, else
    /// `$XDG_DATA_HOME/openhealthkit/health.sqlite`, else the same under `~/.local/share`.
    static func defaultStorePath(in environment: [String: String]) -> String {
        if let path = environment["HEALTHKIT_STORE"], !path.isEmpty {
            return path
        }
        // The XDG base directory specification: a relative path is to be ignored.
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
            return folder + "/openhealthkit/health.sqlite"
        }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return home + "/.local/share/openhealthkit/health.sqlite"
    }
}
