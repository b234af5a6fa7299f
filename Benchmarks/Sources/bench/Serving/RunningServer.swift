import Foundation

/// `hk serve` over stores, as a person starts it, on a free port.
struct RunningServer {
    let program: RunningProgram
    let port: Int
    /// The link that signs a browser in, once.
    let signIn: String
    private let location: [String]
    private let setting: Setting

    private struct Answer: Decodable {
        var url: String
        var signIn: String
    }

    private struct Token: Decodable {
        var token: String
    }

    /// Starts the server and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - location: `--store FILE` or `--data FOLDER`.
    ///   - options: Other options of `hk serve`.
    init(_ location: [String], options: [String] = [], in setting: Setting) throws {
        self.location = location
        self.setting = setting
        program = try RunningProgram(setting.program("hk"), ["serve", "--port", "0", "--json"] + location + options)
        let text = try program.output { $0.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("}") }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
        guard let port = URL(string: answer.url)?.port else {
            throw BenchError("The server has no port: \(answer.url)")
        }
        (self.port, signIn) = (port, answer.signIn)
    }

    /// Starts a server over one store.
    init(store: URL, in setting: Setting) throws {
        try self.init(["--store", store.path], in: setting)
    }

    /// The folder of tokens that a server over one store has.
    static func folder(of store: URL) -> URL { URL(fileURLWithPath: store.path + ".server") }

    /// Removes a store and its server's files.
    static func remove(_ store: URL, _ setting: Setting) throws {
        try setting.removeStore(store)
        try? FileManager.default.removeItem(at: folder(of: store))
    }

    /// Returns a path for a store of which nothing is left of a run before.
    static func freshStore(_ name: String, _ setting: Setting) throws -> URL {
        let url = try setting.freshStore(name)
        try remove(url, setting)
        return url
    }

    /// Makes a token.
    func token(_ arguments: String...) throws -> String {
        let made = try MeasuredProcess.run(
            setting.program("hk"), ["token", "add", "bench", "--json"] + arguments + location, in: setting)
        return try JSONDecoder().decode(Token.self, from: Data(made.output.utf8)).token
    }

    func connection() throws -> HTTPConnection { try HTTPConnection(port: port) }

    func stop() { program.stop() }
}
