import ArgumentParser
import Foundation
import HealthKit
import HealthServer
import HealthStorage
import HealthStorageFiles
import HealthStorageSQLite

/// `hk serve`: the server with its page.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the store to browsers, programs and devices.",
        discussion: """
            Without options, the server uses the default store and can be reached from this machine only. It prints a link \
            that signs one browser in, once. With --data, it serves many people, one store each; see “hk person”. Programs \
            use tokens; see “hk token”. With --lan, phones and computers in the same private network join: it shows a QR \
            code that signs a phone in. With --demo, it serves a fictional person.

              hk serve
              hk serve --demo
              hk serve --lan
              hk serve --data /var/lib/openhealthkit --port 8080
              hk serve --host 0.0.0.0 --tls-certificate fullchain.pem --tls-key privkey.pem
            """)

    @OptionGroup var stores: ServedStores

    @Flag(
        name: .long,
        help: """
            Serve this machine’s private network, such as the Wi-Fi at home, without TLS unless there is a certificate. It \
            asks whether the network is yours.
            """)
    var lan = false

    @Flag(name: .long, help: "Don’t ask whether the network of --lan is yours.")
    var yes = false

    @Option(
        name: .long,
        help: """
            The address to listen on; with --lan, this machine’s address in the network to serve (default: 127.0.0.1, with \
            --lan that of its Wi-Fi or cable).
            """, transform: { $0.trimmingCharacters(in: ["[", "]"]) })
    var host: String?

    @Option(name: .long, help: "The port to listen on; 0 for any free port (default: 8080, or any if it is in use).")
    var port: Int?

    @Option(name: .long, help: "The certificate and its intermediate certificates, a PEM file.", completion: .file())
    var tlsCertificate: String?

    @Option(name: .long, help: "The private key of the certificate, a PEM file.", completion: .file())
    var tlsKey: String?

    @Flag(name: .long, help: "Listen on an address other than loopback without TLS, behind a proxy that adds it.")
    var allowInsecure = false

    @Option(name: .long, help: "The URL under which a proxy publishes the server.")
    var publicURL: String?

    @Option(
        name: .long,
        help: """
            The requests a second of one token or session (default: no limit on loopback without --public-url, else 50).
            """)
    var rate: Double?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The unused stores that stay open (default: 64, in a database one for 8 MB of memory).",
            valueName: "number"))
    var openStores: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A site whose scripts may use the API in a browser, with a token, such as https://example.org. Can be repeated.",
            valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(name: .long, help: "The time zone of people without one (default: the system’s).")
    var timeZone: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A map to show below routes, such as https://tiles.example.org/{z}/{x}/{y}.png. Its server learns where "
                + "routes are (default: none).", valueName: "url"))
    var mapTiles: String?

    @Option(name: .long, help: "The attribution that the map’s owner requires.")
    var mapAttribution: String?

    @Flag(name: .long, help: "Let assistants that use /mcp save samples, with tokens that may.")
    var allowAssistantWrites = false

    @Flag(name: .long, help: "Let tokens register webhooks on this machine and in its network.")
    var allowPrivateWebhooks = false

    @Flag(name: .long, help: "Don’t print a sign-in link, as for a service whose output is logged.")
    var noSignIn = false

    @Flag(name: .long, help: "Print one JSON value.")
    var json = false

    private struct Answer: Encodable {
        var url: String
        var signIn: String?
        /// With --lan, the link of the QR code.
        var phone: String?
    }

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key belong together.")
        }
        if lan, allowInsecure || publicURL != nil && tlsCertificate == nil {
            throw ValidationError(
                "--lan has no proxy. Leave out --allow-insecure, and --public-url without a certificate.")
        }
        if yes, !lan { throw ValidationError("--yes belongs to --lan.") }
        if let port, !(0...65_535).contains(port) {
            throw ValidationError("“\(port)” is not a port. Use a number from 0 to 65535.")
        }
        if let publicURL, URL(string: publicURL)?.scheme?.hasPrefix("http") != true {
            throw ValidationError("“\(publicURL)” is not a URL. Use a form like https://health.example.org.")
        }
        if let wrong = allowOrigin.first(where: { AllowedOrigins([$0]) == nil }) {
            throw ValidationError(
                "“\(wrong)” is not the origin of a site. Use a form like https://example.org, without a path.")
        }
        if let mapTiles, MapTiles(template: mapTiles) == nil {
            throw ValidationError(
                "“\(mapTiles)” is not a map. Use a form like https://tiles.example.org/{z}/{x}/{y}.png.")
        }
        if mapAttribution != nil, mapTiles == nil { throw ValidationError("--map-attribution belongs to --map-tiles.") }
        try TimeZoneArgument.validate(timeZone)
        if let openStores, openStores < 1 { throw ValidationError("--open-stores must be at least 1.") }
        if let rate, rate <= 0 { throw ValidationError("--rate must be greater than 0.") }
    }

    func run() async throws {
        ProcessPrivacy.restrictDumps()
        var configuration = AppConfiguration(location: stores.location)
        if let host { configuration.host = host }
        if lan {
            let network = try confirmedNetwork()
            configuration.network = network
            configuration.host = network.listeningHost
        }
        configuration.port = port ?? configuration.port
        configuration.isDemo = DemoStore.isWanted
        configuration.allowsInsecure = allowInsecure
        configuration.allowsAssistantWrites = allowAssistantWrites
        configuration.allowsPrivateWebhooks = allowPrivateWebhooks
        configuration.webhookFolder = StoreOptions.stateFolder + "/background"
        configuration.publicURL = publicURL.flatMap { URL(string: $0) }
        configuration.allowedOrigins = allowOrigin.isEmpty ? nil : AllowedOrigins(allowOrigin)
        configuration.mapTiles = mapTiles.flatMap { MapTiles(template: $0, attribution: mapAttribution) }
        // With a public name, a proxy on this machine passes on what comes from a network.
        let isLocal = configuration.isLoopback && publicURL == nil
        configuration.limits.openStores = openStores ?? ServerLimits.openStores(at: stores.location)
        configuration.limits.requestsPerSecond = rate ?? (isLocal ? nil : 50)
        if let timeZone = timeZone.flatMap({ TimeZone(identifier: $0) }) { configuration.timeZone = timeZone }
        if let tlsCertificate, let tlsKey {
            configuration.tls = AppConfiguration.TLSFiles(certificate: tlsCertificate, privateKey: tlsKey)
        }
        if CurrentTime.isGiven { configuration.now = { CurrentTime.now } }
        do {
            try await serve(configuration)
        } catch let error as ServerError where error.isAddressInUse && port == nil {
            configuration.port = 0
            try await serve(configuration)
        }
    }

    private func serve(_ configuration: AppConfiguration) async throws {
        try stores.checkKey()
        // There is no prompt while requests are answered: a store whose key isn't known is an error.
        StoreKeyring.shared.ask(nil)
        // Before anything starts: a server whose stores can't be reached doesn't serve.
        let directory = StoreDirectory(location: stores.location)
        let limitation = try directory.limitation()
        let isEmpty = try directory.people(PeopleSelection(limit: 1)).isEmpty
        let server = try HealthServerApplication(configuration)
        try await server.run { address in
            if let limitation { Terminal.printError("Warning: \(limitation)\n") }
            // A link is stored.
            let signsIn = !noSignIn && limitation == nil
            let signIn = signsIn ? try server.signInURL(at: address) : nil
            // One that the link for this machine doesn’t use up.
            let phone = signsIn && lan ? try server.signInURL(at: address) : nil
            try report(address, signIn, phone: phone, isEmpty: isEmpty, configuration)
        }
    }

    /// The network to serve, which is the owner’s if the server doesn’t encrypt what it sends.
    ///
    /// - Throws: ``UsageError`` if there is none, or nobody can be asked; `ExitCode` if it isn’t theirs.
    private func confirmedNetwork() throws -> LocalNetwork {
        guard let network = LocalNetwork.find(address: host) else {
            throw UsageError(
                host.map { "This machine doesn’t have the address “\($0)” in a private network." }
                    ?? "This machine is in no private network. Connect it to the Wi-Fi of the phone.")
        }
        guard tlsCertificate == nil, !yes else { return network }
        guard Terminal.inputIsTerminal else {
            throw UsageError(
                "Confirmation requires a terminal. Use --yes if the network \(network.range) is yours, or a certificate."
            )
        }
        Terminal.printError(
            "Without a certificate, others in the network \(network.range) (\(network.interface)) could read what is sent. "
                + "Is it your own? (y/N): ")
        guard ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased()) else {
            throw ExitCode.failure
        }
        return network
    }

    private func report(
        _ address: HealthServerApplication.Address, _ signIn: URL?, phone: URL?, isEmpty: Bool,
        _ configuration: AppConfiguration
    ) throws {
        if json {
            try JSONOutput.print(
                Answer(
                    url: address.url.absoluteString, signIn: signIn?.absoluteString, phone: phone?.absoluteString))
        } else {
            print("Serving \(stores.name) at \(address.url.absoluteString)")
            if let signIn {
                print("Sign in with this link, once and within an hour:\n\n    \(signIn.absoluteString)\n")
            }
            if let phone, let network = configuration.network {
                print("A phone in the network \(network.range) signs in with this one, once and within an hour:\n")
                print(QRCode(phone.absoluteString).map(QRCodeDrawing.text) ?? "    \(QRCode.advice)\n")
                print("    \(phone.absoluteString)\n")
            }
            if isEmpty {
                print("No people yet. Add a person with “hk person add NAME --data \(stores.name)”.")
            }
            if Terminal.error.isTerminal { Terminal.printError("Press Control-C to stop.\n") }
        }
        // Programs that start the server read the link from a pipe.
        try StandardOutput.flush()
    }
}

struct ServedStores: ParsableArguments {
    @Option(
        name: .long, help: "A folder with one store for each person, or postgresql://host/database.",
        completion: .directory)
    var data: String?

    @Option(name: .long, help: "The store file of one person.", completion: .file())
    var store: String?

    @OptionGroup var key: KeyOptions

    func validate() throws {
        if data != nil, store != nil { throw ValidationError("--data and --store can’t be combined.") }
        if DemoStore.isWanted {
            guard data == nil, store == nil else {
                throw ValidationError("--demo and \(data == nil ? "--store" : "--data") can’t be combined.")
            }
            return
        }
        if data == nil, StorageProviders.isAddress(store ?? HKHealthStore.Configuration.defaultStorePath) {
            throw ValidationError("A database is served with --data, and its address names no person.")
        }
    }

    /// Where the stores are.
    var location: StoreLocation {
        if let data { return Self.location(ofPeople: data) }
        return .store(Self.absolute(store ?? HKHealthStore.Configuration.defaultStorePath))
    }

    /// The location of many people's stores: a folder or a database.
    static func location(ofPeople data: String) -> StoreLocation {
        StorageProviders.isAddress(data) ? .database(data) : .folder(absolute(data))
    }

    /// The path shown to people.
    var name: String {
        if DemoStore.isWanted { return "the demo" }
        return switch location {
        case .store(let path), .folder(let path): path
        case .database(let address): StorageProviders.withoutPassword(address)
        }
    }

    /// Asks for the key of an encrypted store if it isn't given, and checks it: at the start, not at the first request.
    /// An empty file is an error, too.
    func checkKey() throws {
        guard case .store(let path) = location, FileManager.default.fileExists(atPath: path) else { return }
        try SQLiteStorage.checkKey(of: path)
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
