import Foundation
import HealthEngine
import Logging

/// Resolves authorization requests: finds the undecided types, asks the person, and records the answer.
struct AuthorizationResolver: Sendable {
    typealias Request = HKHealthStore.Configuration.AuthorizationRequest
    typealias Answer = HKHealthStore.Configuration.AuthorizationAnswer

    let connection: StoreConnection
    var terminal = AuthorizationTerminal.standard
    /// Logs one line.
    var warn: @Sendable (String) -> Void = { Logger(label: "HealthKit").warning("\($0)") }

    private var configuration: HKHealthStore.Configuration { connection.configuration }
    private var bundleIdentifier: String { configuration.application.bundleIdentifier }

    /// The undecided types of a request.
    func undecided(share: Set<HKSampleType>, read: Set<HKObjectType>) throws -> Request {
        if case .allowAll = configuration.authorization {
            return Request(application: configuration.application, share: [], read: [])
        }
        let decisions = try connection.decisions(about: read.union(share as Set<HKObjectType>))
        return Request(
            application: configuration.application,
            share: share.filter { (decisions[$0]?.share ?? .notDetermined) == .notDetermined },
            read: read.filter { (decisions[$0]?.read ?? .notDetermined) == .notDetermined })
    }

    /// Asks the person about the undecided types of a request, and records the decisions.
    func decide(share: Set<HKSampleType>, read: Set<HKObjectType>) throws {
        let request = try undecided(share: share, read: read)
        if !request.share.isEmpty || !request.read.isEmpty {
            try record(answer(request), to: request)
        }
        if case .ask = configuration.authorization {
            try logDenied(share: share, read: read)
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
        var decisions = try connection.decisions(about: request.read.union(request.share as Set<HKObjectType>))
        for type in request.share {
            decisions[type]?.share = answer.share.contains(type) ? .authorized : .denied
        }
        for type in request.read {
            decisions[type]?.read = answer.read.contains(type) ? .authorized : .denied
            decisions[type]?.earliest = answer.earliestSampleDate?.timeIntervalSinceReferenceDate
        }
        try connection.record(decisions)
    }

    /// Logs how to permit what is denied: a program without a permission sheet has no other place to show it.
    private func logDenied(share: Set<HKSampleType>, read: Set<HKObjectType>) throws {
        guard !terminal.isInteractive else { return }
        let decisions = try connection.decisions(about: read.union(share as Set<HKObjectType>))
        let deniedShare = share.filter { decisions[$0]?.share == .denied }
        let deniedRead = read.filter { decisions[$0]?.read == .denied }
        guard !deniedShare.isEmpty || !deniedRead.isEmpty else { return }
        let command = Self.command(bundleIdentifier, share: deniedShare, read: deniedRead, at: configuration.location)
        warn(
            "\(bundleIdentifier) is not authorized for all the health data it requested. To authorize it, run: \(command)"
        )
    }

    /// The command that authorizes an application.
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
        if case .database(let address) = location {
            words += ["--store", "'\(EngineRegistry.name(ofDatabase: address))'"]
        }
        return words.joined(separator: " ")
    }
}

/// The rules for authorization requests, with the original's messages.
enum AuthorizationRule {
    /// A request that ends the process.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    /// - Throws: ``Violation`` for an empty request, and for types that cannot be requested.
    static func validate(share: Set<HKSampleType>, read: Set<HKObjectType>) throws {
        guard !share.isEmpty || !read.isEmpty else {
            throw Violation(description: "Must request authorization for at least one data type")
        }
        try refuse(share.filter { !$0.isShareable }, to: "share")
        try refuse(read.filter { $0 is HKCorrelationType }, to: "read")
    }

    private static func refuse(_ types: some Collection<some HKObjectType>, to verb: String) throws {
        guard !types.isEmpty else { return }
        let names = types.map(\.identifier).sorted().joined(separator: ", ")
        throw Violation(description: "Authorization to \(verb) the following types is disallowed: \(names)")
    }
}
