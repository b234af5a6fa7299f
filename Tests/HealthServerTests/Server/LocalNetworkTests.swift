import Foundation
import HTTPTypes
import HealthDaemon
import Hummingbird
import NIOCore
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("A private network that is served")
struct LocalNetworkTests {
    private static func network() throws -> LocalNetwork {
        try #require(LocalNetwork.find(address: "127.0.0.1"))
    }

    @Test("A network has a range, and its addresses are in it")
    func range() throws {
        let network = try Self.network()
        #expect(network.range == "127.0.0.0/8")
        for address in ["127.0.0.1", "127.8.9.10", "::ffff:127.0.0.1"] {
            #expect(network.contains(try Self.peer(address)), "\(address)")
        }
        for address in ["128.0.0.1", "192.168.1.7", "::1"] {
            #expect(!network.contains(try Self.peer(address)), "\(address)")
        }
        for address in ["203.0.113.250", "localhost", ""] { #expect(LocalNetwork.find(address: address) == nil) }
        // What is chosen without an address is never this machine alone.
        #expect(LocalNetwork.find().map { HostNames.isLoopback($0.host) } != true)
    }

    private static func peer(_ address: String, link: UInt32 = 0) throws -> SocketAddress {
        let peer = try SocketAddress(ipAddress: address, port: 49_152)
        guard case .v6(let long) = peer else { return peer }
        var scoped = long.address
        scoped.sin6_scope_id = link
        return SocketAddress(scoped, host: "")
    }

    private static func place(_ interface: String, _ index: Int, _ address: String, _ bits: Int) throws
        -> LocalNetwork.Place
    {
        LocalNetwork.Place(
            interface: interface, index: index, address: try #require(NetworkAddress(address)), bits: bits)
    }

    @Test("Links have the address that every phone knows; devices of both versions are in the network")
    func versions() throws {
        let link = try Self.place("wlan0", 3, "fe80::20", 64)
        let own = try Self.place("wlan0", 3, "fd12:3456::20", 64)
        let open = try Self.place("wlan0", 3, "2606:4700::20", 64)
        let short = try Self.place("wlan0", 3, "192.168.1.20", 24)
        let others = try [
            Self.place("lo", 1, "127.0.0.1", 8), Self.place("lo", 1, "::1", 128), Self.place("eth0", 2, "fe80::2", 64),
            Self.place("docker0", 4, "172.17.0.1", 16), Self.place("veth1", 5, "fe80::5", 64),
        ]
        let name = try #require(HostNames.machine.last)
        for (places, host, listening, range) in [
            ([short], "192.168.1.20", "0.0.0.0", "192.168.1.0/24"),
            ([link, open, own, short], "192.168.1.20", "::", "192.168.1.0/24, fd12:3456::/64, 2606:4700::/64"),
            ([link, open, own], "fd12:3456::20", "::", "fd12:3456::/64, 2606:4700::/64"),
            ([open, link], "2606:4700::20", "::", "2606:4700::/64"),
        ] {
            let network = try #require(LocalNetwork.find(address: nil, among: others + places))
            #expect((network.interface, network.host) == ("wlan0", host))
            #expect((network.listeningHost, network.range) == (listening, range))
        }
        // Browsers open no address of a link, which every interface has, and tunnels have no other.
        #expect(LocalNetwork.find(address: nil, among: [others[4]]) == nil)
        let alone = try #require(LocalNetwork.find(address: nil, among: [others[4], link]))
        #expect((alone.interface, alone.host, alone.range) == ("wlan0", name, "fe80::/64"))
        let all = others + [link, open, own, short]
        for (asked, host) in [
            ("fe80::20%wlan0", name), ("fd12:3456:0::20", "fd12:3456::20"), ("172.17.0.1", "172.17.0.1"),
        ] { #expect(LocalNetwork.find(address: asked, among: all)?.host == host, "\(asked)") }
        for asked in ["fe80::20%eth0", "fd12:3456::21"] {
            #expect(LocalNetwork.find(address: asked, among: all) == nil, "\(asked)")
        }
        let network = try #require(LocalNetwork.find(address: nil, among: all))
        for (address, link) in [
            ("192.168.1.7", 0), ("::ffff:192.168.1.7", 0), ("fd12:3456::7", 0), ("2606:4700::7", 0), ("fe80::7", 3),
        ] as [(String, UInt32)] { #expect(network.contains(try Self.peer(address, link: link)), "\(address)") }
        for (address, link) in [
            ("192.168.2.7", 0), ("::ffff:192.168.2.7", 0), ("fd12:3456:0:1::7", 0), ("fe80::7", 2), ("fe80::7", 0),
            ("::c0a8:107", 0), ("172.17.0.2", 0),
        ] as [(String, UInt32)] { #expect(!network.contains(try Self.peer(address, link: link)), "\(address)") }
    }

    @Test(
        "A network of version 6 is served to this machine by both versions, and links to it have brackets",
        .enabled(if: LocalNetwork.find(address: "::1") != nil))
    func version6() async throws {
        let network = try #require(LocalNetwork.find(address: "::1"))
        try await TestServer.with(configure: { ($0.host, $0.network) = (network.listeningHost, network) }) { server in
            var client = server.client
            for address in ["::1", "127.0.0.1"] {
                client.host = address
                for (host, status) in [
                    ("[::1]:\(server.port)", 200), ("localhost", 200), ("[fd12:3456::20]:8080", 200),
                    ("[fe80::20%25wlan0]", 200), ("evil.example", 421), ("[evil]", 421),
                ] {
                    let answer = try await client.get("/v1/people", headers: ["Host": host])
                    #expect(answer.status == status, "\(address) \(host)")
                }
            }
            for (host, expected) in [
                ("localhost", "[::1]:\(server.port)"), ("[fd12:3456::20]:99", "[fd12:3456::20]:99"),
            ] {
                let made = try await client.post("/v1/sign-in-links", json: "{}", headers: ["Host": host])
                #expect(made.json["server"] as? String == "http://\(expected)", "\(made.text)")
                #expect((made.json["link"] as? String)?.hasPrefix("http://\(expected)/sign-in?code=") == true)
                #expect(made.json["isReachable"] as? Bool == true)
            }
        }
    }

    @Test("Its devices need no TLS, know the server by its addresses and names, and no site’s name is one of them")
    func names() async throws {
        let network = try Self.network()
        try await TestServer.with(configure: { ($0.host, $0.network) = ("0.0.0.0", network) }) { server async throws in
            for (host, status) in [
                ("127.0.0.1:\(server.port)", 200), ("localhost", 200), ("192.168.1.20:8080", 200),
                (try #require(HostNames.machine.last), 200), ("evil.example", 421),
            ] {
                let answer = try await server.client.get("/v1/people", headers: ["Host": host])
                #expect(answer.status == status, "\(host)")
            }
        }
    }

    @Test("Clients outside the network are refused, and without a network, TLS is needed")
    func strangers() throws {
        let folder = try TemporaryServerFolder()
        var configuration = AppConfiguration(location: .folder(folder.path))
        (configuration.host, configuration.network) = ("0.0.0.0", try Self.network())
        #expect(configuration.reachableHost == "127.0.0.1")
        let hosts = HostNames(configuration)
        let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:8080", path: "/v1/session")
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        for peer in ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"] {
            #expect(throws: Never.self) { try hosts.check(request, from: Self.peer(peer)) }
        }
        for peer in ["192.168.1.7", "203.0.113.9", "2001:db8::1", "fe80::1"] {
            #expect { try hosts.check(request, from: Self.peer(peer)) } throws: { ($0 as? Problem)?.code == .forbidden }
        }
        #expect(throws: Never.self) { try HealthServerApplication(configuration) }
        configuration.network = nil
        #expect(throws: ServerError.self) { try HealthServerApplication(configuration) }
    }

    @Test("Codes are those of the specification: three corners to find, and the size for the text")
    func codes() throws {
        let code = try #require(QRCode("http://192.168.1.20:8080/"), "libqrencode isn’t installed.")
        let corner = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
        let size = code.rows.count
        #expect(size == 25 && code.rows.allSatisfy { $0.count == size })
        for (row, column) in [(0, 0), (0, size - 7), (size - 7, 0)] {
            let found = code.rows[row..<row + 7].map { $0[column..<column + 7].map { $0 ? "1" : "0" }.joined() }
            #expect(found == corner)
        }
        // The timing patterns alternate.
        #expect((8..<size - 8).allSatisfy { code.rows[6][$0] == ($0 % 2 == 0) && code.rows[$0][6] == ($0 % 2 == 0) })
        #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
    }
}

@Suite("Links that sign another device in")
struct SignInLinkTests {
    private static let path = "/v1/sign-in-links"

    @Test("The link is for the person who asks, works once, and leads to a screen")
    func link() async throws {
        try await TestServer.with { server async throws in
            let session = try server.session(of: ["anna"])
            let nobody = server.client.with(token: nil)
            let made = try await nobody.post(
                Self.path, json: #"{"screen":"iphone/shortcuts"}"#, headers: session.headers)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json["isReachable"] as? Bool == false)
            #expect(made.json["server"] as? String == "http://localhost:\(server.port)")
            let rows = try #require(made.json["qrCode"] as? [String])
            #expect(rows.allSatisfy { $0.count == rows.count })
            let url = try #require((made.json["link"] as? String).flatMap { URL(string: $0) })
            let target = try await nobody.get(url.path + "?" + (url.query ?? "")).headers["location"]
            let parts = try #require(target).split(separator: "/")
            #expect(parts.count == 5 && parts[0...1] == ["#", "code"] && parts[3...] == ["iphone", "shortcuts"])
            let signedIn = try await nobody.post("/v1/session", json: #"{"code":"\#(parts[2])"}"#)
            #expect((signedIn.json["people"] as? [[String: Any]])?.map { $0["person"] as? String } == ["anna"])
            #expect(try await nobody.post("/v1/session", json: #"{"code":"\#(parts[2])"}"#).status == 401)
        }
    }

    @Test("The address is the one by which other devices reach the server")
    func addresses() async throws {
        let network = try #require(LocalNetwork.find(address: "127.0.0.1"))
        try await TestServer.with(configure: { ($0.host, $0.network) = ("0.0.0.0", network) }) { server async throws in
            for (host, expected) in [
                ("localhost:\(server.port)", "127.0.0.1:\(server.port)"), ("192.168.1.20:99", "192.168.1.20:99"),
            ] {
                let made = try await server.client.post(Self.path, json: "{}", headers: ["Host": host])
                #expect(made.json["server"] as? String == "http://\(expected)", "\(made.text)")
                #expect(made.json["isReachable"] as? Bool == true)
                #expect((made.json["link"] as? String)?.hasPrefix("http://\(expected)/sign-in?code=") == true)
            }
        }
        try await TestServer.with(configure: { $0.publicURL = URL(string: "https://health.example.org") }) {
            server async throws in
            let made = try await server.client.post(Self.path, json: "{}")
            #expect(made.json["server"] as? String == "https://health.example.org")
            #expect(made.json["isReachable"] as? Bool == true)
        }
    }

    @Test("Applications, devices, links and read-only tokens get none, and a screen isn’t another address")
    func refused() async throws {
        try await TestServer.with { server async throws in
            for token in [
                try server.token(), try server.token(scope: .sync), try server.token(scope: .owner, isReadOnly: true),
            ] {
                let answer = try await server.client.with(token: token).post(Self.path, json: "{}")
                #expect(answer.status == 403 && answer.code == "forbidden", "\(answer.text)")
            }
            for screen in ["/evil.example", "a?b", "a b", "#", "A", String(repeating: "a", count: 101)] {
                let answer = try await server.client.post(Self.path, json: #"{"screen":"\#(screen)"}"#)
                #expect(answer.status == 422, "\(screen)")
            }
            let code = try server.core.registry.addSignInCode(people: ["anna"])
            let followed = try await server.client.get("/sign-in?code=\(code)&screen=%2F%2Fevil.example")
            #expect(followed.headers["location"] == "/#/code/\(code)")
        }
    }
}
