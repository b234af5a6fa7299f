import HealthCompression
import HealthStorageSQLite

/// The versions of the C libraries that run inside the program, for `hk --version`: what an advisory is about.
///
/// SQLite and zlib are the system's, and change with it. BoringSSL has no versions: swift-crypto, which encrypts stores,
/// and swift-nio-ssl, which serves and calls, each contain a revision of it.
enum LibraryVersions {
    static var text: String {
        let boringSSL = boringSSL.map { "BoringSSL \($0.revision.prefix(12)) (\($0.package) \($0.version))" }
        return (["SQLite \(SQLiteStorage.libraryVersion)", "zlib \(CompressionLibrary.version)"] + boringSSL)
            .joined(separator: "\n")
    }

    /// A test compares them with the packages that are linked.
    private static let boringSSL = [
        (package: "swift-crypto", version: "4.5.2", revision: "0226f30467f540a3f62ef48d453f93927da199b6"),
        (package: "swift-nio-ssl", version: "2.37.6", revision: "8eb25be6fa18d475291122887a7bccd3762ff236"),
    ]
}
