import Foundation
import HealthEngine
import HealthStorage

/// The work of a ``DeliveryDaemon``: reacts to one signal after the other.
///
/// What must survive is in the store. This only knows the programs and calls of this process, and the timer.
struct DeliveryLoop {
    private let engine: HealthEngine
    private let options: DeliveryDaemon.Options
    private let webhooks: WebhookClient
    private let sender: AsyncStream<DeliverySignal>.Continuation

    /// The programs that run, by bundle identifier.
    private var programs: [String: StartedProgram] = [:]
    /// The calls of webhooks that haven't been answered.
    private var calls: [UUID: (attempt: BackgroundDeliveryStore.Attempt, task: Task<Void, Never>)] = [:]
    /// The deliveries in flight that haven't been reported as acknowledged.
    private var unreported: [UUID: BackgroundDeliveryStore.Attempt] = [:]
    private var timer: (number: Int, task: Task<Void, Never>)?
    private var lastTimer = 0
    /// Whether the timer waits for more changes.
    private var isSettling = false

    init(
        engine: HealthEngine, options: DeliveryDaemon.Options, webhooks: WebhookClient,
        sender: AsyncStream<DeliverySignal>.Continuation
    ) {
        self.engine = engine
        self.options = options
        self.webhooks = webhooks
        self.sender = sender
    }

    private var deliveries: BackgroundDeliveryStore { engine.backgroundDelivery }

    /// Ends the attempts of a daemon that was killed, except for programs that still run: they may acknowledge.
    func recover() throws {
        for (bundleIdentifier, application) in try deliveries.applications() {
            guard let delivery = application.inFlight else { continue }
            if case .program? = application.target,
                try ProgramOutput.isInUse(at: options.outputFile(bundleIdentifier))
            {
                continue
            }
            try deliveries.finish(delivery.id, of: bundleIdentifier, .interrupted)
        }
    }

    /// Runs until it is told to stop or, with `once`, until what is due has been delivered.
    mutating func run(_ signals: AsyncStream<DeliverySignal>, once: Bool) async throws {
        try deliverDue(once: once)
        var isOver = once && unreported.isEmpty
        if !isOver {
            if !once { options.onWaiting() }
            for await signal in signals {
                if case .stop = signal { break }
                try handle(signal, once: once)
                isOver = once && unreported.isEmpty
                if isOver { break }
            }
        }
        await stop(signals)
    }

    private mutating func handle(_ signal: DeliverySignal, once: Bool) throws {
        switch signal {
        case .changed:
            try? reportAcknowledged()
            guard !isSettling, !once else { return }
            isSettling = true
            wait(options.delay)
        case .time(let number):
            guard timer?.number == number else { return }
            isSettling = false
            try deliverDue(once: once)
        case .exited(let bundleIdentifier, let program, let status):
            programs[bundleIdentifier] = nil
            try attempt { try ended(bundleIdentifier, program, status, once: once) }
            try deliverDue(once: once)
        case .answered(let given, let failure):
            calls[given.delivery.id] = nil
            try attempt { try answered(given, failure) }
            try deliverDue(once: once)
        case .stop: break
        }
    }

    // MARK: Attempts

    /// Begins what is due, and waits for the next instant at which something can be. With `once`, nothing begins after the
    /// first time; attempts only end.
    private mutating func deliverDue(once: Bool) throws {
        var next: Double?
        try attempt {
            try reportAcknowledged()
            if once, lastTimer > 0 {
                try expire()
            } else {
                // A program that can't be started fails at once, which changes when the next attempt is.
                for _ in 0..<10 {
                    let plan = try deliveries.begin { timeLimit(of: $0) }
                    for attempt in plan.expired { failed(attempt) }
                    for attempt in plan.begun { try start(attempt) }
                    next = plan.next
                    if plan.begun.isEmpty { break }
                }
            }
        }
        guard !isSettling else { return }
        // The clock may be set, and a store that can't be reached may come back.
        let now = engine.configuration.now()
        wait(min(max(next.map { $0 - now } ?? Self.longestWait, 0.01), once ? 1 : Self.longestWait))
    }

    private static let longestWait = 60.0

    /// What is wrong with a store for a while, such as a full disk.
    private static let passing: Set<StorageError.Kind> = [.busy, .unreachable, .inputOutput, .unknownOutcome]

    private func timeLimit(of target: DeliveryTarget) -> Double {
        switch target {
        case .program: options.programTimeLimit
        case .webhook: options.webhookTimeLimit
        }
    }

    /// Runs a body; a store that can't be used is reported, and used again later.
    private func attempt(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as StorageError where Self.passing.contains(error.kind) {
            options.report(DeliveryEvent(kind: .storeFailed, reason: "\(error)"))
        }
    }

    private mutating func start(_ attempt: BackgroundDeliveryStore.Attempt) throws {
        let delivery = attempt.delivery
        unreported[delivery.id] = attempt
        switch attempt.target {
        case .webhook(let url, let secretFile):
            report(.started, attempt)
            let (webhooks, sender, limit) = (webhooks, sender, options.webhookTimeLimit)
            let call = WebhookCall(attempt, url: url, secretFile: secretFile, now: engine.configuration.now())
            calls[delivery.id] = (
                attempt,
                Task {
                    let failure = await webhooks.send(call, timeLimit: limit)
                    sender.yield(.answered(attempt, failure: failure))
                }
            )
        case .program(let path, let arguments):
            guard programs[attempt.bundleIdentifier] == nil else { return report(.alreadyRunning, attempt) }
            do {
                let output = try ProgramOutput(path: options.outputFile(attempt.bundleIdentifier))
                guard let output else { return report(.alreadyRunning, attempt) }
                let (sender, name) = (sender, attempt.bundleIdentifier)
                let program = try StartedProgram(
                    path: path, arguments: arguments, environment: environment(of: attempt), output: output,
                    delivery: delivery.id)
                programs[name] = program
                report(.started, attempt)
                program.wait { sender.yield(.exited(name, program, status: $0)) }
            } catch let error as DaemonError {
                try deliveries.finish(delivery.id, of: attempt.bundleIdentifier, .missed)
                unreported[delivery.id] = nil
                report(.missed, attempt, reason: error.description)
            }
        }
    }

    /// The environment of a program: that of the daemon, with what the program should know.
    private func environment(of attempt: BackgroundDeliveryStore.Attempt) -> [String: String] {
        ProcessInfo.processInfo.environment.merging([
            "HEALTHKIT_STORE": options.store,
            "HEALTHKIT_APPLICATION": attempt.bundleIdentifier,
            "HEALTHKIT_DELIVERY": attempt.delivery.id.uuidString,
            "HEALTHKIT_DELIVERY_TYPES": attempt.delivery.types.keys.sorted().joined(separator: ","),
            "HEALTHKIT_DELIVERY_ATTEMPT": String(attempt.delivery.attempt),
        ]) { $1 }
    }

    private mutating func ended(
        _ bundleIdentifier: String, _ program: StartedProgram, _ status: String, once: Bool
    ) throws {
        try reportAcknowledged()
        guard let delivery = try deliveries.application(bundleIdentifier)?.inFlight else {
            if !once { options.report(DeliveryEvent(kind: .ended, application: bundleIdentifier, reason: status)) }
            return
        }
        let known = unreported.removeValue(forKey: delivery.id)
        // It may have been about to end when a later delivery began.
        let isItsOwn = delivery.id == program.delivery
        try deliveries.finish(delivery.id, of: bundleIdentifier, isItsOwn ? .missed : .interrupted)
        guard let known else { return }
        report(
            isItsOwn ? .missed : .interrupted, known,
            reason: "The program ended \(status) without acknowledging the delivery; see \(program.output)")
    }

    private mutating func answered(_ given: BackgroundDeliveryStore.Attempt, _ failure: String?) throws {
        try deliveries.finish(given.delivery.id, of: given.bundleIdentifier, failure == nil ? .acknowledged : .missed)
        // An attempt whose time ran out has been reported.
        guard unreported.removeValue(forKey: given.delivery.id) != nil else { return }
        report(failure == nil ? .acknowledged : .missed, given, reason: failure)
    }

    /// Ends attempts whose time has run out, without beginning others.
    private mutating func expire() throws {
        let now = engine.configuration.now()
        for (id, attempt) in unreported where (attempt.delivery.deadline ?? now) <= now && calls[id] == nil {
            try deliveries.finish(id, of: attempt.bundleIdentifier, .missed)
            failed(attempt)
        }
    }

    private mutating func failed(_ attempt: BackgroundDeliveryStore.Attempt) {
        unreported[attempt.delivery.id] = nil
        // A call ends by its own time limit; its answer doesn't count any more.
        calls[attempt.delivery.id]?.task.cancel()
        report(.missed, attempt, reason: "It wasn’t acknowledged in time")
        programs[attempt.bundleIdentifier]?.terminate()
    }

    /// Reports deliveries that the programs acknowledged.
    private mutating func reportAcknowledged() throws {
        for (id, attempt) in unreported where calls[id] == nil {
            let isOpen = try deliveries.application(attempt.bundleIdentifier)?.deliveries.contains { $0.id == id } ?? false
            guard !isOpen else { continue }
            unreported[id] = nil
            report(.acknowledged, attempt)
        }
    }

    private func report(
        _ kind: DeliveryEvent.Kind, _ attempt: BackgroundDeliveryStore.Attempt, reason: String? = nil
    ) {
        options.report(
            DeliveryEvent(
                kind: kind, application: attempt.bundleIdentifier, delivery: attempt.delivery.id,
                attempt: attempt.delivery.attempt, reason: reason))
    }

    // MARK: Time and end

    /// Sets the timer, which there is one of.
    private mutating func wait(_ seconds: Double) {
        timer?.task.cancel()
        lastTimer += 1
        let (number, sender) = (lastTimer, sender)
        timer = (
            number,
            Task {
                try? await Task.sleep(for: .seconds(seconds))
                if !Task.isCancelled { sender.yield(.time(number)) }
            }
        )
    }

    /// Ends calls and programs. What isn't acknowledged by then is due again.
    private mutating func stop(_ signals: AsyncStream<DeliverySignal>) async {
        timer?.task.cancel()
        for (id, call) in calls {
            call.task.cancel()
            try? deliveries.finish(id, of: call.attempt.bundleIdentifier, .interrupted)
            report(.interrupted, call.attempt)
        }
        for program in programs.values { program.terminate() }
        for (bundleIdentifier, program) in programs {
            await program.ended()
            guard let delivery = try? deliveries.application(bundleIdentifier)?.inFlight else { continue }
            try? deliveries.finish(delivery.id, of: bundleIdentifier, .interrupted)
            if let attempt = unreported[delivery.id] { report(.interrupted, attempt) }
        }
        try? reportAcknowledged()
    }
}
