import Foundation
import HealthEngine
import HealthModel
import Logging

/// Decides requests for permission: which types are open, who answers, and what is written down.
struct AuthorizationDesk: Sendable {
    typealias Request = HKHealthStore.Configuration.AuthorizationRequest
    typealias Answer = HKHealthStore.Configuration.AuthorizationAnswer

    let configuration: HKHealthStore.Configuration
    let engine: HealthEngine
    var terminal = AuthorizationTerminal.standard
    /// Says one line on the log.
    var warn: @Sendable (String) -> Void = { Logger(label: "HealthKit").warning("\($0)") }

    private var bundleIdentifier: String { configuration.application.bundleIdentifier }

    /// The types of a request that nobody has decided on.
    func undecided(share: Set<HKSampleType>, read: Set<HKObjectType>) throws -> Request {
        if case .allowAll = configuration.authorization {
            return Request(application: configuration.application, share: [], read: [])
        }
        let decisions = try engine.authorizations(bundleIdentifier: bundleIdentifier)
        func decision(_ type: HKObjectType) throws -> TypeAuthorization {
            try engine.code(of: type.identifier).flatMap { decisions[$0] } ?? TypeAuthorization()
        }
        return Request(
            application: configuration.application,
            share: try share.filter { try decision($0).share == .notDetermined },
            read: try read.filter { try decision($0).read == .notDetermined })
    }

    /// Has the open types of a request decided, and writes the decisions down.
    func decide(share: Set<HKSampleType>, read: Set<HKObjectType>) throws {
        let request = try undecided(share: share, read: read)
        if !request.share.isEmpty || !request.read.isEmpty {
            try record(answer(request), to: request)
        }
        if case .ask = configuration.authorization {
            try reportRefusals(share: share, read: read)
        }
    }

    func answer(_ request: Request) -> Answer {
        switch configuration.authorization {
        case .handler(let handler): handler(request)
        case .allowAll: .all(request)
        case .ask, .automatic: terminal.isInteractive ? terminal.ask(request) : .none
        }
    }

    private func record(_ answer: Answer, to request: Request) throws {
        var decisions = try engine.authorizations(bundleIdentifier: bundleIdentifier)
        var changed: [TypeCode: TypeAuthorization] = [:]
        func decide(
            _ type: HKObjectType, _ part: WritableKeyPath<TypeAuthorization, TypeAuthorization.Decision>,
            _ isPermitted: Bool
        ) throws {
            // A type that no store has met has no data to protect, and no number to write down.
            guard let code = try engine.code(of: type.identifier) else { return }
            var decision = decisions[code] ?? TypeAuthorization()
            decision[keyPath: part] = isPermitted ? .authorized : .denied
            decisions[code] = decision
            changed[code] = decision
        }
        for type in request.share {
            try decide(type, \.share, answer.share.contains(type))
        }
        for type in request.read {
            try decide(type, \.read, answer.read.contains(type))
        }
        try engine.setAuthorizations(changed, bundleIdentifier: bundleIdentifier)
    }

    /// Says on the log how to permit what is refused: a program without a permission sheet has no other
    /// place to say it.
    private func reportRefusals(share: Set<HKSampleType>, read: Set<HKObjectType>) throws {
        guard !terminal.isInteractive else { return }
        let decisions = try engine.authorizations(bundleIdentifier: bundleIdentifier)
        func isRefused(
            _ type: HKObjectType, _ part: KeyPath<TypeAuthorization, TypeAuthorization.Decision>
        ) throws -> Bool {
            guard let code = try engine.code(of: type.identifier) else { return false }
            return decisions[code]?[keyPath: part] == .denied
        }
        let refusedShare = try share.filter { try isRefused($0, \.share) }
        let refusedRead = try read.filter { try isRefused($0, \.read) }
        guard !refusedShare.isEmpty || !refusedRead.isEmpty else { return }
        let command = Self.command(
            bundleIdentifier, share: refusedShare, read: refusedRead, at: configuration.location)
        warn("\(bundleIdentifier) may not use all the health data it asks for. To permit it: \(command)")
    }

    /// The command that grants types.
    static func command(
        _ bundleIdentifier: String, share: Set<HKSampleType>, read: Set<HKObjectType>,
        at location: HKHealthStore.Configuration.Location
    ) -> String {
        func names(_ types: some Sequence<HKObjectType>) -> String {
            types.map { TypeNames.short($0.identifier) }.sorted().joined(separator: ",")
        }
        var words = ["hk", "authorize", bundleIdentifier]
        if !share.isEmpty { words += ["--share", names(share.map { $0 as HKObjectType })] }
        if !read.isEmpty { words += ["--read", names(read)] }
        if case .file(let url) = location { words += ["--store", url.path] }
        return words.joined(separator: " ")
    }
}
