import Foundation
import HealthEngine
import HealthStorage

/// The work of a ``DeliveryDaemon``: reacts to signals in order.
///
/// What must survive is in the store. This only knows the programs and calls of this process, and the timer.
struct DeliveryLoop {
    private let engine: HealthEngine
    private let options: DeliveryDaemon.Options
    private let webhooks: WebhookClient
    private let sender: AsyncStream<DeliverySignal>.Continuation

    /// The programs that run or are being ended, by bundle identifier.
    private var programs: [String: ChildProcess] = [:]
    /// The files into which what an ended program has started may print.
    private var leftOutputs: Set<String> = []
    /// The applications whose programs are being ended. Nothing is delivered to them meanwhile.
    private var ending: Set<String> = []
    /// The programs whose deliveries were withdrawn, each with the time at which it is ended, in seconds since 2001.
    private var withdrawn: [String: Double] = [:]
    /// The programs as the next daemon finds them.
    private var records: ProgramRecords
    /// With `once`, the types whose delivery was attempted, by bundle identifier.
    private var attempted: [String: Set<String>] = [:]
    /// The calls of webhooks that haven't been answered, each with the task that returns why it failed; `nil` if it
    /// didn't.
    private var calls: [UUID: (attempt: BackgroundDeliveryStore.Attempt, task: Task<String?, Never>)] = [:]
    /// The answers that haven't been recorded, each with why the call failed; `nil` if it didn't.
    private var answers: [(attempt: BackgroundDeliveryStore.Attempt, failure: String?)] = []
    /// Whether attempts may have been recorded that the daemon doesn't know, because the store failed when they began.
    private var mayHaveBegun = false
    /// The deliveries in flight that haven't been reported as acknowledged.
    private var unreported: [UUID: BackgroundDeliveryStore.Attempt] = [:]
    /// The applications whose targets were reported as not confirmed.
    private var unconfirmed: [String: DeliveryTarget] = [:]
    private var timer: (number: Int, task: Task<Void, Never>)?
    private var lastTimer = 0
    /// Whether the timer waits for more changes.
    private var isSettling = false
    /// The measures that stand out, if they were read since alerts looked last.
    private var standing: Set<String>?
    private var isReadingHighlights = false
    /// When highlights were read last, in seconds since 2001, and the last sequence number then.
    private var highlightsRead: (date: Double, sequence: Int64)?

    init(
        engine: HealthEngine, options: DeliveryDaemon.Options, webhooks: WebhookClient,
        sender: AsyncStream<DeliverySignal>.Continuation
    ) {
        self.engine = engine
        self.options = options
        self.webhooks = webhooks
        self.sender = sender
        // Nothing is written to a file that there isn't, because no program is started.
        records = ProgramRecords(path: options.programsFile ?? "")
    }

    private var deliveries: BackgroundDeliveryStore { engine.backgroundDelivery }

    /// Takes over the programs of a daemon that was killed, which may acknowledge until their time is over, and ends
    /// its other attempts.
    mutating func recover() throws {
        let applications = try deliveries.applications()
        for (bundleIdentifier, record) in records.programs {
            let application = applications[bundleIdentifier]
            // One that has acknowledged may keep running, and leave processes behind.
            guard let last = record.delivery, application?.state(of: last) != .acknowledged else { continue }
            let program = ChildProcess(record, output: try options.outputFile(bundleIdentifier))
            guard record.group.isLeaderRunning else {
                endRest(bundleIdentifier, program)
                continue
            }
            programs[bundleIdentifier] = program
            watch(bundleIdentifier, program)
            if let target = application?.target, case .program = target, let delivery = application?.inFlight {
                unreported[delivery.id] = .init(bundleIdentifier: bundleIdentifier, target: target, delivery: delivery)
            } else {
                withdrawn[bundleIdentifier] = last.deadline ?? engine.configuration.now()
            }
        }
        for (bundleIdentifier, application) in applications {
            guard let delivery = application.inFlight, unreported[delivery.id] == nil,
                application.target.map(options.reaches) != false
            else { continue }
            // A program that was started and not recorded.
            if case .program? = application.target, records[bundleIdentifier] == nil,
                try ProgramOutput.isInUse(at: options.outputFile(bundleIdentifier))
            {
                continue
            }
            try deliveries.finish(delivery.id, of: bundleIdentifier, .interrupted)
        }
    }

    /// Runs until it is stopped or, with `once`, until what is due has been delivered.
    mutating func run(_ signals: AsyncStream<DeliverySignal>, once: Bool) async throws {
        try deliverDue(once: once)
        var isReplaced = false
        if !isOver(once: once) {
            if !once { options.onWaiting() }
            loop: for await signal in signals {
                switch signal {
                case .stop: break loop
                case .storeReplaced:
                    isReplaced = true
                    break loop
                default: try handle(signal, once: once)
                }
                if isOver(once: once) { break }
            }
        }
        await stop()
        guard !isReplaced else {
            throw DaemonError("The store at \(options.store) was replaced or removed while the daemon ran")
        }
    }

    private func isOver(once: Bool) -> Bool { once && unreported.isEmpty && ending.isEmpty && !isReadingHighlights }

    private mutating func handle(_ signal: DeliverySignal, once: Bool) throws {
        switch signal {
        case .changed:
            // When a program has acknowledged, the next delivery can be due.
            guard !once else { return try deliverDue(once: true) }
            try? reportSettled()
            guard !isSettling else { return }
            isSettling = true
            wait(options.delay)
        case .time(let number):
            guard timer?.number == number else { return }
            isSettling = false
            try deliverDue(once: once)
        case .exited(let bundleIdentifier, let program, let status):
            ProgramOutput.trim(program.output)
            var mayLeaveRest = false
            try attempt { mayLeaveRest = try ended(bundleIdentifier, program, status, once: once) }
            withdrawn[bundleIdentifier] = nil
            if mayLeaveRest, !ending.contains(bundleIdentifier) {
                programs[bundleIdentifier] = nil
                leftOutputs.insert(program.output)
                program.release()
            } else {
                endRest(bundleIdentifier, program)
            }
            try deliverDue(once: once)
        case .gone(let bundleIdentifier):
            programs[bundleIdentifier] = nil
            ending.remove(bundleIdentifier)
            try deliverDue(once: once)
        case .answered(let given, let failure):
            calls[given.delivery.id] = nil
            answers.append((given, failure))
            try deliverDue(once: once)
        case .highlights(let found):
            (standing, isReadingHighlights) = (found, false)
            try deliverDue(once: once)
        case .storeReplaced, .stop: break
        }
    }

    /// Begins to read what stands out, if an alert asks for it: after changes and, because days pass, after hours.
    private mutating func readHighlights() throws {
        let now = engine.configuration.now()
        let sequence = try engine.lastSequence()
        guard !isReadingHighlights, try AlertWatch(engine: engine).asksForHighlights() else { return }
        if let last = highlightsRead {
            let pause = sequence == last.sequence ? Self.longestHighlightPause : Self.highlightPause
            guard abs(now - last.date) >= pause else { return }
        }
        (isReadingHighlights, highlightsRead) = (true, (now, sequence))
        let (engine, sender, read) = (engine, sender, options.standingOut)
        Task(executorPreference: options.executor) { sender.yield(.highlights(try? await read(engine))) }
    }

    /// Seconds between two looks at highlights, of a store that changes and of one that doesn't.
    private static let (highlightPause, longestHighlightPause) = (600.0, 3_600.0)

    // MARK: Attempts

    /// Begins what is due, and waits for the next instant at which something can be. With `once`, each type is
    /// delivered to each application once, so that changes that keep coming don't keep the daemon from ending.
    private mutating func deliverDue(once: Bool) throws {
        var next: Double?
        trimOutputs()
        try attempt {
            // First of all: an answer in time isn't late because the store is busy.
            try recordAnswers()
            try reportSettled()
            try endUnknown()
            endWithdrawn()
            try reportUnconfirmed()
            try readHighlights()
            let nextLook = try AlertWatch(engine: engine).look(standing: standing)
            standing = nil
            // A program that can't be started fails at once, which changes when the next attempt is.
            for _ in 0..<10 {
                let (ending, attempted) = (ending, attempted)
                mayHaveBegun = true
                let plan = try deliveries.begin {
                    ending.contains($0) || attempted[$0]?.contains($1) == true
                } mayReach: {
                    options.reaches($1) && options.targets.contains($1, of: $0)
                        && !options.targets.hasEnded($1, of: $0, at: engine.configuration.now())
                } timeLimit: {
                    timeLimit(of: $0)
                }
                mayHaveBegun = false
                for attempt in plan.expired { failed(attempt) }
                var failure: (any Error)?
                for attempt in plan.begun {
                    if once {
                        self.attempted[attempt.bundleIdentifier, default: []].formUnion(attempt.delivery.types.keys)
                    }
                    do {
                        try start(attempt)
                    } catch {
                        // The others have begun as well.
                        failure = error
                    }
                }
                if let failure { throw failure }
                next = [plan.next, nextLook].compactMap { $0 }.min()
                if plan.begun.isEmpty { break }
            }
        }
        guard !isSettling else { return }
        // The clock may be set, and a store that can't be reached may come back.
        let now = engine.configuration.now()
        let instant = ([next].compactMap { $0 } + withdrawn.values).min()
        let longest = programs.isEmpty && leftOutputs.isEmpty && answers.isEmpty && !once ? Self.longestWait : 1
        wait(min(max(instant.map { $0 - now } ?? Self.longestWait, 0.01), longest))
    }

    /// Ends attempts that were recorded although beginning them failed, as a commit can whose answer is lost. They were
    /// not made.
    private mutating func endUnknown() throws {
        guard mayHaveBegun else { return }
        for (bundleIdentifier, application) in try deliveries.applications() {
            guard let delivery = application.inFlight, unreported[delivery.id] == nil, calls[delivery.id] == nil,
                programs[bundleIdentifier] == nil, application.target.map(options.reaches) != false
            else { continue }
            try deliveries.finish(delivery.id, of: bundleIdentifier, .interrupted)
        }
        mayHaveBegun = false
    }

    /// Reports what the store would start or call if it were confirmed, once.
    private mutating func reportUnconfirmed() throws {
        for (bundleIdentifier, application) in try deliveries.applications().sorted(by: { $0.key < $1.key }) {
            guard let target = application.target, options.reaches(target),
                !options.targets.contains(target, of: bundleIdentifier)
            else {
                unconfirmed[bundleIdentifier] = nil
                continue
            }
            guard unconfirmed.updateValue(target, forKey: bundleIdentifier) != target else { continue }
            options.report(DeliveryEvent(kind: .unconfirmed, application: bundleIdentifier))
        }
    }

    /// Keeps the end of what programs print, and those that they have left behind.
    private mutating func trimOutputs() {
        leftOutputs = leftOutputs.filter { ProgramOutput.isInUse(at: $0) }
        for path in leftOutputs.union(programs.values.map(\.output)) { ProgramOutput.trim(path) }
    }

    private static let longestWait = 60.0

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
        } catch let error as StorageError where error.kind.isPassing {
            options.report(DeliveryEvent(kind: .storeFailed, reason: "\(error)"))
        }
    }

    private mutating func start(_ attempt: BackgroundDeliveryStore.Attempt) throws {
        let delivery = attempt.delivery
        unreported[delivery.id] = attempt
        switch attempt.target {
        case .webhook(let url, let secretFile, let given):
            report(.started, attempt)
            let (webhooks, sender, limit, engine) = (webhooks, sender, options.webhookTimeLimit, engine)
            let target = WebhookTarget(url: url, secretFile: secretFile, options: given ?? WebhookOptions())
            calls[delivery.id] = (
                attempt,
                Task(executorPreference: options.executor) {
                    var failure: String? = "The store can’t be read"
                    if let call = try? WebhookCall(attempt, to: target, of: engine) {
                        failure = await webhooks.send(call, timeLimit: limit)
                    }
                    sender.yield(.answered(attempt, failure: failure))
                    return failure
                }
            )
        case .program(let path, let arguments):
            let name = attempt.bundleIdentifier
            // It has as long for this delivery as one that is started.
            withdrawn[name] = nil
            do {
                let file = try options.outputFile(name)
                if programs[name] == nil, let record = records[name], record.group.isLeaderRunning {
                    let program = ChildProcess(record, output: file)
                    programs[name] = program
                    watch(name, program)
                }
                guard programs[name] == nil else {
                    records[name]?.delivery = delivery
                    return report(.alreadyRunning, attempt)
                }
                // A lock says that a program runs which isn't recorded. If one is, it has ended, and its helper can
                // have the lock.
                guard let output = try ProgramOutput(path: file, replacing: records[name] != nil) else {
                    return report(.alreadyRunning, attempt)
                }
                records[name] = nil
                let program = try ChildProcess(
                    path: path, arguments: arguments, environment: environment(of: attempt), output: output,
                    delivery: delivery.id)
                records[name] = program.group.map { .init(group: $0, started: delivery.id, delivery: delivery) }
                programs[name] = program
                report(.started, attempt)
                watch(name, program)
            } catch let error as DaemonError {
                try deliveries.finish(delivery.id, of: attempt.bundleIdentifier, .missed, reason: error.description)
                unreported[delivery.id] = nil
                report(.missed, attempt, reason: error.description)
            }
        }
    }

    private func watch(_ bundleIdentifier: String, _ program: ChildProcess) {
        let sender = sender
        program.wait { sender.yield(.exited(bundleIdentifier, program, status: $0)) }
    }

    /// Ends what an ended program has left behind.
    private mutating func endRest(_ bundleIdentifier: String, _ program: ChildProcess) {
        guard program.hasRest else {
            programs[bundleIdentifier] = nil
            ending.remove(bundleIdentifier)
            return program.release()
        }
        programs[bundleIdentifier] = program
        ending.insert(bundleIdentifier)
        let sender = sender
        Task {
            await program.endRest()
            sender.yield(.gone(bundleIdentifier))
        }
    }

    /// The variables that can contain the daemon's key. A program that reads an encrypted store is given its own key.
    private static let keyVariables: Set = [
        "HEALTHKIT_PASSPHRASE", "HEALTHKIT_NEW_PASSPHRASE", "HEALTHKIT_KEY_FILE", "CREDENTIALS_DIRECTORY",
    ]

    /// The environment of a program: that of the daemon without its key, with what the program should know.
    private func environment(of attempt: BackgroundDeliveryStore.Attempt) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !Self.keyVariables.contains($0.key) }.merging([
            "HEALTHKIT_STORE": options.store, "HEALTHKIT_APPLICATION": attempt.bundleIdentifier,
            "HEALTHKIT_DELIVERY": attempt.delivery.id.uuidString,
            "HEALTHKIT_DELIVERY_TYPES": attempt.delivery.types.keys.sorted().joined(separator: ","),
            "HEALTHKIT_DELIVERY_ATTEMPT": String(attempt.delivery.attempt),
        ]) { $1 }
    }

    /// Records the end of a program. Returns whether what it has started may keep running: the program has
    /// acknowledged.
    private mutating func ended(
        _ bundleIdentifier: String, _ program: ChildProcess, _ status: String?, once: Bool
    ) throws -> Bool {
        try reportSettled()
        guard let delivery = try deliveries.application(bundleIdentifier)?.inFlight, calls[delivery.id] == nil else {
            if !once { options.report(DeliveryEvent(kind: .ended, application: bundleIdentifier, reason: status)) }
            return withdrawn[bundleIdentifier] == nil
        }
        // It may have been about to end when a later delivery began.
        let isItsOwn = delivery.id == program.delivery
        let end = status.map { "ended \($0)" } ?? "ended"
        let reason = "The program \(end) without acknowledging the delivery"
        try deliveries.finish(delivery.id, of: bundleIdentifier, isItsOwn ? .missed : .interrupted, reason: reason)
        let known = unreported.removeValue(forKey: delivery.id)
        if !isItsOwn { attempted[bundleIdentifier]?.subtract(delivery.types.keys) }
        if let known {
            report(isItsOwn ? .missed : .interrupted, known, reason: "\(reason); see \(program.output)")
        }
        return !isItsOwn
    }

    private mutating func recordAnswers() throws {
        while let answer = answers.first {
            try record(answer.attempt, answer.failure)
            answers.removeFirst()
        }
    }

    private mutating func record(_ given: BackgroundDeliveryStore.Attempt, _ failure: String?) throws {
        let state = try deliveries.state(of: given.delivery, for: given.bundleIdentifier)
        try deliveries.finish(
            given.delivery.id, of: given.bundleIdentifier, failure == nil ? .acknowledged : .missed, reason: failure)
        try deliveries.remove(
            given.bundleIdentifier, at: given.target, unsubscribed: failure, from: options.targets)
        // An attempt whose time ran out has been reported.
        guard unreported.removeValue(forKey: given.delivery.id) != nil else { return }
        switch state {
        case .withdrawn: report(.withdrawn, given)
        case .open, .acknowledged: report(failure == nil ? .acknowledged : .missed, given, reason: failure)
        }
    }

    private mutating func failed(_ attempt: BackgroundDeliveryStore.Attempt) {
        unreported[attempt.delivery.id] = nil
        // A call ends by its own time limit; its answer doesn't count any more.
        calls[attempt.delivery.id]?.task.cancel()
        report(.missed, attempt, reason: "It wasn’t acknowledged in time")
        end(attempt.bundleIdentifier)
    }

    /// Ends a program whose time is over.
    private mutating func end(_ bundleIdentifier: String) {
        guard let program = programs[bundleIdentifier] else { return }
        ending.insert(bundleIdentifier)
        program.terminate()
    }

    /// Ends programs whose time is over although no delivery in the store waits for them any more.
    private mutating func endWithdrawn() {
        let now = engine.configuration.now()
        for (bundleIdentifier, instant) in withdrawn {
            // The clock may have been set back.
            withdrawn[bundleIdentifier] = min(instant, now + options.programTimeLimit)
            guard instant <= now else { continue }
            withdrawn[bundleIdentifier] = nil
            end(bundleIdentifier)
        }
    }

    /// Reports deliveries that the programs acknowledged, or that were withdrawn.
    private mutating func reportSettled() throws {
        for (id, attempt) in unreported where calls[id] == nil {
            switch try deliveries.state(of: attempt.delivery, for: attempt.bundleIdentifier) {
            case .open: continue
            case .acknowledged:
                if records[attempt.bundleIdentifier]?.delivery?.id == id {
                    records[attempt.bundleIdentifier]?.delivery = nil
                }
                report(.acknowledged, attempt)
            case .withdrawn:
                if programs[attempt.bundleIdentifier] != nil {
                    withdrawn[attempt.bundleIdentifier] = attempt.delivery.deadline ?? engine.configuration.now()
                }
                report(.withdrawn, attempt)
            }
            unreported[id] = nil
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
                try? await Task.sleep(for: .seconds(min(seconds, DeliveryDaemon.Options.longestTime)))
                if !Task.isCancelled { sender.yield(.time(number)) }
            }
        )
    }

    /// Ends calls and programs. What isn't acknowledged by then is due again.
    private mutating func stop() async {
        timer?.task.cancel()
        for call in calls.values { call.task.cancel() }
        for (id, call) in calls {
            guard await call.task.value != nil else {
                // It answered before it could be canceled, and would be called again.
                answers.append((call.attempt, nil))
                continue
            }
            try? deliveries.finish(id, of: call.attempt.bundleIdentifier, .interrupted)
            report(.interrupted, call.attempt)
        }
        try? recordAnswers()
        for program in programs.values { program.terminate() }
        for (bundleIdentifier, program) in programs {
            await program.ended()
            await program.endRest()
            guard let delivery = try? deliveries.application(bundleIdentifier)?.inFlight else { continue }
            try? deliveries.finish(delivery.id, of: bundleIdentifier, .interrupted)
            if let attempt = unreported[delivery.id] { report(.interrupted, attempt) }
        }
        try? reportSettled()
    }
}
