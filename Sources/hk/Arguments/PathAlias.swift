import Foundation
import Synchronization

/// Names for paths whose bytes aren't UTF-8, which neither Swift's strings nor Foundation can hold.
///
/// A path's folder, or a file whose own name isn't UTF-8, is opened, and the path is then one below `/proc/self/fd`.
/// Messages show the path as well as it can be shown.
enum PathAlias {
    /// What is shown for the beginning of each alias.
    private static let shown = Mutex<[(alias: String, text: String)]>([])

    /// The arguments of the process without its name.
    static func arguments() -> [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map(text) }
    }

    /// Gives the paths in the environment names.
    static func prepareEnvironment() {
        for name in ["HEALTHKIT_STORE", "HEALTHKIT_KEY_FILE"] {
            guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
            setenv(name, text(value), 1)
        }
    }

    /// - Throws: ``UsageError`` for a path that something is to be created at under a name that isn't UTF-8. There is no
    ///   string for it, and one with other characters would be another name.
    static func requireName(_ path: String) throws {
        guard path.contains("\u{FFFD}"), !FileManager.default.fileExists(atPath: path) else { return }
        throw UsageError("“\(path)” can’t be created, because the name isn’t UTF-8. Its folder’s may be any.")
    }

    /// A message with the paths behind the aliases.
    static func resolved(_ message: String) -> String {
        shown.withLock { shown in
            // 12 before 1.
            shown.sorted { $0.alias.count > $1.alias.count }
                .reduce(message) { $0.replacingOccurrences(of: $1.alias, with: $1.text) }
        }
    }

    /// The argument, or an alias of the path in it: `--store=PATH` has one, too.
    private static func text(_ argument: UnsafeMutablePointer<CChar>) -> String {
        if let text = String(validatingCString: argument) { return text }
        let bytes = Array(UnsafeBufferPointer(start: argument, count: strlen(argument)))
        let sign =
            bytes.starts(with: "--".utf8.map { CChar(bitPattern: $0) })
            ? bytes.firstIndex(of: CChar(UInt8(ascii: "="))) : nil
        let path = Array(bytes[(sign.map { $0 + 1 } ?? 0)...])
        return (sign.map { string(bytes[...$0]) } ?? "") + (alias(path) ?? string(path))
    }

    private static func alias(_ path: [CChar]) -> String? {
        func alias(_ opened: [CChar], _ flags: Int32) -> String? {
            let descriptor = open(opened + [0], flags | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let alias = "/proc/self/fd/\(descriptor)"
            shown.withLock { $0.append((alias, string(opened))) }
            return alias
        }
        func isText(_ bytes: ArraySlice<CChar>) -> Bool {
            String(validating: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self) != nil
        }
        // A store has other files beside its own, so the innermost folder that exists is preferred.
        var end = path.endIndex
        while let slash = path[..<end].lastIndex(of: CChar(UInt8(ascii: "/"))), isText(path[(slash + 1)...]) {
            if let folder = alias(Array(path[..<slash]), O_RDONLY | O_DIRECTORY) {
                return folder + "/" + string(path[(slash + 1)...])
            }
            end = slash
        }
        return alias(path, O_RDONLY)
    }

    private static func string(_ bytes: some Collection<CChar>) -> String {
        String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
