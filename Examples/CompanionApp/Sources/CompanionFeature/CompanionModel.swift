import Foundation
import HealthKit
import HealthSync
import Observation

/// Keeps the server of the app, with its token: in the keychain on an iPhone.
public protocol ServerStore: Sendable {
    func load() throws -> SyncServer?
    func save(_ server: SyncServer) throws
}

/// The state of the app, and the actions of its buttons.
@MainActor
@Observable
public final class CompanionModel {
    /// The result of the last action.
    public private(set) var status = "Scan the code on the page of your server."
    /// The identifiers of the types that are on the server or in a seed and can't be written, with the reason.
    public private(set) var leftOut: [String: String] = [:]
    public private(set) var isPaired = false

    private let store: HKHealthStore
    private let servers: any ServerStore
    private let progress: any SyncProgressStore
    private let transport: any SyncTransport
    private let pairing: Pairing
    private var sync: HealthStoreSync?

    public init(
        store: HKHealthStore, servers: any ServerStore, progress: any SyncProgressStore = DefaultsSyncProgressStore(),
        transport: any SyncTransport = HTTPTransport(), pairing: Pairing = Pairing()
    ) {
        self.store = store
        self.servers = servers
        self.progress = progress
        self.transport = transport
        self.pairing = pairing
    }

    /// Continues with the server of the last launch. Call it each time the app launches, also in the background.
    public func launch() async {
        await perform {
            guard let server = try self.servers.load() else { return }
            await self.begin(with: server)
        }
    }

    /// Pairs with the server of a scanned code, and asks for permission to read everything and to write what is there.
    public func pair(_ link: URL, deviceName: String, person: String? = nil) async {
        await perform {
            let server = try await self.pairing.server(of: link, deviceName: deviceName, person: person)
            try self.servers.save(server)
            await self.begin(with: server)
            try await self.sync?.requestAuthorization()
            try await self.sync?.requestReceivingAuthorization()
        }
    }

    private func begin(with server: SyncServer) async {
        let sync = HealthStoreSync(store: store, server: server, progress: progress, transport: transport)
        self.sync = sync
        isPaired = true
        status = "Paired."
        await sync.startObserving()
    }

    /// Sends what is new here, and writes what is new there.
    public func exchange() async {
        await perform {
            guard let sync = self.sync else { return }
            let sent = try await sync.sync()
            let received = try await sync.receive()
            self.show(received)
            self.status = "Sent \(sent.samples), received \(received.samples), deleted \(received.deletions)."
        }
    }

    /// Fills the simulator with a file of “hk export person.seed”.
    public func load(_ seed: URL) async {
        await perform {
            let receipt = try await HealthSeeding.load(seed, into: self.store)
            self.show(receipt)
            self.status = "Loaded \(receipt.samples)."
        }
    }

    /// Takes away what files have brought.
    public func removeSeeds() async {
        await perform { self.status = "Removed \(try await HealthSeeding.remove(from: self.store))." }
    }

    private func show(_ receipt: SyncReceipt) {
        leftOut = receipt.leftOut.mapValues(\.description)
    }

    private func perform(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch Pairing.Failure.choosePerson(let people) {
            status = "Whose phone is it? Enter one of \(people.joined(separator: ", ")), and scan a new code."
        } catch {
            status = "\(error)"
        }
    }
}
