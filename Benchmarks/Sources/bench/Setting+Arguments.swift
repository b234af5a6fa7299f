import Foundation

extension Setting {
    static let usage = """
        usage: bench --data FOLDER [--document FILE] [--compiler TEXT] [--only NAME,NAME…] [--quick]
        Names: import, sums, objects, save, codec.
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
            guard ["--data", "--document", "--compiler", "--only"].contains(name), let value = rest.popFirst() else {
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
        try FileManager.default.createDirectory(at: self.data, withIntermediateDirectories: true)
    }
}
