public import Foundation

/// The programs that tests start.
public enum BuiltProgram {
    /// `hk`: the one beside the test bundle, or that of the environment variable `HK_PROGRAM`, such as a release build.
    /// What the optimizer and the linker do to a program shows only there.
    public static let hk: URL = {
        let given = ProcessInfo.processInfo.environment["HK_PROGRAM"] ?? ""
        return given.isEmpty ? named("hk") : URL(fileURLWithPath: given)
    }()

    /// The program of this name that was built with the tests.
    public static func named(_ name: String) -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        while !FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent(name).path),
            folder.path != "/"
        {
            folder.deleteLastPathComponent()
        }
        return folder.appendingPathComponent(name)
    }
}
