import Foundation

extension Setting {
    static let usage = """
        usage: bench --data FOLDER [--document FILE] [--compiler TEXT] [--only NAME,NAME…] [--size 5g] [--quick]
        Names: import, export, archive, sums, sql, objects, save, codec, workout. The archive is one of --size, which needs
        a quarter more on the disk while it is measured; a quick look leaves it out unless it is named.
        """

    /// What the command line asks for.
    init(arguments: [String]) throws {
        var values: [String: String] = [:]
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            if name == "--quick" {
                values[name] = ""
                continue
            }
            guard ["--data", "--document", "--compiler", "--only", "--size"].contains(name), let value = rest.popFirst() else {
                throw BenchError(Self.usage)
            }
            values[name] = value
        }
        guard let data = values["--data"] else { throw BenchError(Self.usage) }
        self.init(
            programs: URL(fileURLWithPath: arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent(),
            data: URL(fileURLWithPath: data),
            document: values["--document"].map { URL(fileURLWithPath: $0) },
            compiler: values["--compiler"] ?? "unknown",
            only: Set((values["--only"] ?? "").split(separator: ",").map(String.init)),
            thoroughness: values["--quick"] == nil ? 1 : 0.25)
        if let size = values["--size"] { largeArchive = try Self.bytes(size) }
        try FileManager.default.createDirectory(at: self.data, withIntermediateDirectories: true)
    }

    /// A size such as `5g` or `800m`, in bytes.
    private static func bytes(_ text: String) throws -> Int {
        let factor: Int
        switch text.last {
        case "g": factor = 1_000_000_000
        case "m": factor = 1_000_000
        default: throw BenchError(Self.usage)
        }
        guard let count = Int(text.dropLast()), count > 0, count <= 1_000_000 else { throw BenchError(Self.usage) }
        return count * factor
    }
}
