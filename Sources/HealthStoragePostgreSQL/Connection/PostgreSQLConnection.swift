import CPostgreSQL
import Foundation
import HealthStorage

/// A connection to the server, in libpq's pipeline mode: statements are sent together and answered together, in one
/// round trip.
// Unchecked: a connection is used by one thread at a time, the one that took it from the pool.
final class PostgreSQLConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// libpq's functions.
    private let functions: UnsafePointer<PQFunctions>
    private var pq: PQFunctions { functions.pointee }
    private let onStatement: (@Sendable (String) -> Void)?
    /// The names of prepared statements.
    private var prepared: [String: String] = [:]
    private var preparedCount = 0
    /// The statements that have been sent and are still to be answered.
    private var expected: [Sent] = []
    /// The number of times that the pool had lost connections when this one was opened.
    let epoch: Int
    private let activity: PostgreSQLActivity?
    /// When the server was started that answers, in microseconds since 2000.
    private(set) var server: Int64 = 0
    /// The settings with which every transaction begins if the connection is to a pooler, which may execute the next
    /// one over another connection to the server; `nil` if this is a session of the server.
    private var transactionSettings: PostgreSQLCall?
    /// Whether what is sent next belongs to a transaction that was begun, or comes with its own settings.
    private var isInTransaction = false
    private var hasSettings = false

    private enum Sent {
        case preparation(sql: String, name: String)
        case statement
        case settings
    }

    /// Opens a connection. Throws ``PostgreSQLFailure``.
    init(
        _ address: PostgreSQLAddress, server: PostgreSQLAddress.Server = .primary, options: PostgreSQLOptions,
        epoch: Int, activity: PostgreSQLActivity? = nil
    ) throws {
        let functions = try PostgreSQLLibrary.shared.get().functions
        let pq = functions.pointee
        let parameters = address.parameters(of: server)
        func connect() throws -> OpaquePointer {
            guard let handle = Self.withParameters(parameters, { pq.PQconnectdbParams($0, $1, 1) }) else {
                throw PostgreSQLFailure(state: "53200", message: "out of memory", isConnectionLost: false)
            }
            if pq.PQstatus(handle) == CONNECTION_OK, pq.PQenterPipelineMode(handle) == 1 { return handle }
            let message =
                pq.PQerrorMessage(handle).map { String(cString: $0) }?.trimmingCharacters(in: .whitespacesAndNewlines)
                ?? ""
            pq.PQfinish(handle)
            // The server accepts connections, but not this one: trying again would not help.
            let isPermanent =
                Self.withParameters(parameters) { pq.PQpingParams($0, $1, 1) } == PQPING_OK
                && !Self.passing.contains { message.contains($0) }
            throw PostgreSQLFailure(
                state: isPermanent ? "28000" : "08001", message: message, isConnectionLost: !isPermanent)
        }
        let handle: OpaquePointer
        do {
            handle = try connect()
        } catch let failure as PostgreSQLFailure where failure.state == "28000" {
            // It may have been starting until a moment ago.
            handle = try connect()
        }
        _ = pq.PQsetNoticeProcessor(handle, { _, _ in }, nil)
        self.handle = handle
        self.functions = functions
        self.epoch = epoch
        self.activity = activity
        onStatement = options.onStatement
        do {
            try makeSettings(address, options)
        } catch var failure as PostgreSQLFailure where !failure.isConnectionLost {
            // As of a connection that isn't admitted: the role can't be assumed.
            failure.state = "28000"
            throw failure
        }
    }

    /// Parts of the messages of connections that are rejected now and may be accepted later, by PostgreSQL or
    /// PgBouncer.
    private static let passing = [
        "too many", "session is read-only", "no more connections", "cannot connect to server", "server login",
        "_timeout",
    ]

    /// Makes the settings of the session. A pooler is recognized by the number of the server's process, which isn't the
    /// one that it has told: there, the settings end with this statement and begin each transaction.
    private func makeSettings(_ address: PostgreSQLAddress, _ options: PostgreSQLOptions) throws {
        let sql = address.settings(options, isLocal: "pg_backend_pid() <> \(process)")
        let rows = try execute([PostgreSQLCall(sql, isPrepared: false)])
        guard rows.count == 1, rows[0].count == 1 else { throw lost() }
        server = try rows[0][0].integer(0)
        guard rows[0][0].isTrue(1) else { return }
        transactionSettings = PostgreSQLCall(address.settings(options, isLocal: "true"), isPrepared: false)
    }

    /// Whether transactions may be executed over different connections to the server, so that nothing outlasts one: no
    /// prepared statement, setting, lock or channel.
    var isPooled: Bool { transactionSettings != nil }

    deinit {
        pq.PQfinish(handle)
    }

    private static func withParameters<Value>(
        _ parameters: [(key: String, value: String)],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let keys = parameters.map { strdup($0.key) }
        let values = parameters.map { strdup($0.value) }
        defer { for text in keys + values { free(text) } }
        return (keys.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keys in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                guard let keys = keys.baseAddress, let values = values.baseAddress else {
                    preconditionFailure("the lists are terminated by nil")
                }
                return body(keys, values)
            }
        }
    }

    /// The process of the server that answers this connection.
    var process: Int32 { pq.PQbackendPID(handle) }

    /// The descriptor of the connection's socket.
    var socket: Int32 { pq.PQsocket(handle) }

    var isUsable: Bool { pq.PQstatus(handle) == CONNECTION_OK }

    // MARK: Statements

    /// Executes statements in one round trip and returns their rows. If one fails, the following ones are not executed.
    ///
    /// - Parameter later: A statement that is sent along and executed in any case, and whose result isn't needed.
    func execute(_ calls: [PostgreSQLCall], followedBy later: PostgreSQLCall? = nil) throws -> [PostgreSQLRows] {
        let start = ContinuousClock.now
        defer { activity?.addRoundTrip(of: calls.map(\.kind), .now - start) }
        // A pooler gives the connection to the server away with the answer that a transaction has ended. Statements that
        // were sent before that answer would be answered to no client, or to another one.
        guard !isPooled else {
            try drain()
            for call in calls { try send(call) }
            try synchronize()
            defer { if let later { try? executeLater(later) } }
            return try receive()
        }
        // What was sent earlier is answered first, and isn't waited for before the statements are sent.
        let earlier = expected
        expected = []
        for call in calls { try send(call) }
        try synchronize()
        let awaited = expected
        expected = []
        if let later {
            try send(later)
            try synchronize()
        }
        let next = expected
        expected = earlier
        try drain()
        expected = awaited
        defer { expected = next }
        return try receive()
    }

    /// Executes a statement in one round trip and returns its rows.
    func rows(_ sql: String, _ arguments: [any PostgreSQLArgument] = []) throws -> PostgreSQLRows {
        try execute([PostgreSQLCall(sql, arguments)])[0]
    }

    /// Sends a statement whose result isn't needed, such as the end of a reading transaction. The answer is read before
    /// the connection's next statement.
    func executeLater(_ call: PostgreSQLCall) throws {
        try drain()
        try send(call)
        try synchronize()
    }

    private func synchronize() throws {
        guard pq.PQpipelineSync(handle) == 1 else { throw lost() }
        if !isInTransaction { hasSettings = false }
    }

    /// Reads the answers to statements sent earlier. A statement that failed there doesn't matter, a lost connection
    /// does.
    private func drain() throws {
        guard !expected.isEmpty else { return }
        do {
            _ = try receive()
        } catch let failure as PostgreSQLFailure where !failure.isConnectionLost {
            return
        }
    }

    private func send(_ call: PostgreSQLCall) throws {
        guard let settings = transactionSettings else { return try dispatch(call) }
        // The level of isolation is set by `BEGIN`, before any query.
        if !isInTransaction, call.begins {
            try dispatch(call)
            try dispatch(settings)
            (isInTransaction, hasSettings) = (true, true)
        } else {
            if !hasSettings, !call.ends { try dispatch(settings) }
            hasSettings = !call.ends
            if call.ends { isInTransaction = false }
            try dispatch(call)
        }
    }

    private func dispatch(_ call: PostgreSQLCall) throws {
        onStatement?(call.sql)
        guard call.isPrepared, !isPooled else {
            let types = call.arguments.kinds.map(\.rawValue)
            let formats = [Int32](repeating: 1, count: call.arguments.count)
            let isSent = call.arguments.withPointers { values, lengths in
                pq.PQsendQueryParams(handle, call.sql, Int32(call.arguments.count), types, values, lengths, formats, 1)
            }
            guard isSent == 1 else { throw lost() }
            return expected.append(call.sql == transactionSettings?.sql ? .settings : .statement)
        }
        let name: String
        if let known = prepared[call.sql] {
            name = known
        } else {
            preparedCount += 1
            name = "s\(preparedCount)"
            let types = call.arguments.kinds.map(\.rawValue)
            guard pq.PQsendPrepare(handle, name, call.sql, Int32(types.count), types) == 1 else { throw lost() }
            // It is known from now on, because the server prepares it before it executes what follows.
            prepared[call.sql] = name
            expected.append(.preparation(sql: call.sql, name: name))
        }
        let formats = [Int32](repeating: 1, count: call.arguments.count)
        let isSent = call.arguments.withPointers { values, lengths in
            pq.PQsendQueryPrepared(handle, name, Int32(call.arguments.count), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
        expected.append(.statement)
    }

    /// Reads the answers up to the last synchronization.
    private func receive() throws -> [PostgreSQLRows] {
        let expected = expected
        self.expected = []
        var rows: [PostgreSQLRows] = []
        var failure: PostgreSQLFailure?
        var isSameServer = true
        for sent in expected {
            guard let result = pq.PQgetResult(handle) else { throw lost(failure) }
            let status = pq.PQresultStatus(result)
            let isDone = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK
            if isDone, case .statement = sent {
                rows.append(PostgreSQLRows(result, functions))
            } else if isDone, case .settings = sent {
                // One that has taken over behind a pooler may lack what is known of the store.
                isSameServer = try PostgreSQLRows(result, functions)[0].integer(0) == server
            } else {
                if !isDone {
                    if case .preparation(let sql, let name) = sent, prepared[sql] == name { prepared[sql] = nil }
                    if status != PGRES_PIPELINE_ABORTED, failure == nil {
                        failure = PostgreSQLFailure(result: result, connection: handle, pq)
                    }
                }
                pq.PQclear(result)
            }
            while let next = pq.PQgetResult(handle) { pq.PQclear(next) }
            if pq.PQstatus(handle) != CONNECTION_OK { throw lost(failure) }
        }
        guard let end = pq.PQgetResult(handle) else { throw lost(failure) }
        let isEnd = pq.PQresultStatus(end) == PGRES_PIPELINE_SYNC
        pq.PQclear(end)
        guard isEnd, isSameServer else { throw lost(failure) }
        if let failure { throw failure }
        return rows
    }

    private func lost(_ failure: PostgreSQLFailure? = nil) -> PostgreSQLFailure {
        var failure = failure ?? .connectionLost
        failure.isConnectionLost = true
        return failure
    }

    // MARK: Outside the pipeline

    /// Executes several statements without arguments, separated by semicolons.
    func script(_ sql: String) throws {
        try drain()
        let start = ContinuousClock.now
        defer { activity?.addRoundTrip(of: [PostgreSQLCall(sql).kind], .now - start) }
        let text = withSettings(sql)
        onStatement?(text)
        try outsidePipeline {
            guard let result = pq.PQexec(handle, text) else { throw lost() }
            defer { pq.PQclear(result) }
            let status = pq.PQresultStatus(result)
            guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
                throw PostgreSQLFailure(result: result, connection: handle, pq)
            }
        }
    }

    /// The statements of ``script(_:)`` with the settings of a transaction over a pooler.
    private func withSettings(_ sql: String) -> String {
        let call = PostgreSQLCall(sql)
        guard let settings = transactionSettings?.sql, !call.ends, !isInTransaction else {
            if call.ends { (isInTransaction, hasSettings) = (false, false) }
            return sql
        }
        (isInTransaction, hasSettings) = (call.begins, call.begins)
        return call.begins ? "\(sql);\n\(settings)" : "\(settings);\n\(sql)"
    }

    /// Executes `COPY … FROM STDIN` with data in PostgreSQL's binary format.
    func copy(_ sql: String, _ data: [UInt8]) throws {
        try drain()
        let start = ContinuousClock.now
        defer { activity?.addRoundTrip(of: [.copy], .now - start) }
        onStatement?(sql)
        try outsidePipeline {
            guard let begun = pq.PQexec(handle, sql) else { throw lost() }
            defer { pq.PQclear(begun) }
            guard pq.PQresultStatus(begun) == PGRES_COPY_IN else {
                throw PostgreSQLFailure(result: begun, connection: handle, pq)
            }
            let isSent = data.withUnsafeBytes { bytes in
                // libpq takes a length of 32 bits.
                stride(from: 0, to: bytes.count, by: 1 << 20).allSatisfy { start in
                    let count = min(1 << 20, bytes.count - start)
                    let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
                    return pq.PQputCopyData(handle, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count))
                        == 1
                }
            }
            guard isSent, pq.PQputCopyEnd(handle, nil) == 1 else { throw lost() }
            var failure: PostgreSQLFailure?
            while let result = pq.PQgetResult(handle) {
                if pq.PQresultStatus(result) != PGRES_COMMAND_OK, failure == nil {
                    failure = PostgreSQLFailure(result: result, connection: handle, pq)
                }
                pq.PQclear(result)
                if pq.PQstatus(handle) != CONNECTION_OK { break }
            }
            if let failure { throw failure }
        }
    }

    private func outsidePipeline(_ body: () throws -> Void) throws {
        guard pq.PQexitPipelineMode(handle) == 1 else { throw lost() }
        do {
            try body()
        } catch {
            guard pq.PQstatus(handle) == CONNECTION_OK, pq.PQenterPipelineMode(handle) == 1 else { throw lost() }
            throw error
        }
        guard pq.PQenterPipelineMode(handle) == 1 else { throw lost() }
    }

    // MARK: Notifications

    /// Returns the notifications that have arrived: their channels and contents. Throws if the connection is lost.
    func takeNotifications() throws -> [(channel: String, payload: String)] {
        try drain()
        guard pq.PQconsumeInput(handle) == 1, pq.PQstatus(handle) == CONNECTION_OK else { throw lost() }
        var found: [(channel: String, payload: String)] = []
        while let notification = pq.PQnotifies(handle) {
            found.append((String(cString: notification.pointee.relname), String(cString: notification.pointee.extra)))
            pq.PQfreemem(notification)
        }
        return found
    }
}
