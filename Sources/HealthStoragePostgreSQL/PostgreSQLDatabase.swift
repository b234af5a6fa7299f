import Foundation
import HealthStorage

/// A PostgreSQL database with the stores of many people, which share its connections.
package final class PostgreSQLDatabase: Sendable {
    /// The address of the database.
    package let address: PostgreSQLAddress
    let pool: PostgreSQLPool
    /// Connections to the replica, if the address names one.
    let replica: PostgreSQLPool?
    let listener: PostgreSQLListener
    let recent = PostgreSQLRecentPeople()

    /// Connects to a database. Creates the tables if they don't exist.
    ///
    /// Throws `StorageError`: `.unreachable` if the server can't be reached or refuses the connection, `.rejected` if
    /// the role lacks a permission, and `.notAStore` if the tables are of a version that can't be read.
    ///
    /// - Parameter creating: Whether missing tables are created; otherwise they are `.unreachable`.
    package init(
        _ address: PostgreSQLAddress, options: PostgreSQLOptions = PostgreSQLOptions(), creating: Bool = true
    ) throws {
        self.address = address
        pool = PostgreSQLPool(address, options: options)
        var optionsOfReplica = options
        // The primary answers meanwhile.
        optionsOfReplica.reconnectTimeout = 0
        replica = address.hasReplica ? PostgreSQLPool(address, server: .replica, options: optionsOfReplica) : nil
        listener = PostgreSQLListener(pool)
        do {
            try StorageError.translatingPostgreSQL {
                try pool.lease().run { try PostgreSQLSchema.prepare($0, address, isCreating: creating) }
                try pool.inspectServer()
            }
        } catch {
            pool.close()
            throw error
        }
    }

    /// The activity of the connections, by the server's part: `primary` and, if the address names one, `replica`.
    package var activities: [(server: String, maximum: Int, activity: PostgreSQLActivity)] {
        let pools = [("primary", pool)] + (replica.map { [("replica", $0)] } ?? [])
        return pools.map { ($0.0, $0.1.options.maximumConnections, $0.1.activity) }
    }

    /// Why stores can only be read, if the tables are of another version than this program's.
    package var limitation: String? {
        if case .reading(let reason) = pool.compatibility { reason } else { nil }
    }

    /// The store of a person.
    ///
    /// - Parameter creating: Whether a person who is unknown gets a new store. Otherwise the method throws
    ///   `StorageError` `.unreachable`.
    package func storage(ofPerson name: String, creating: Bool = true) throws -> PostgreSQLStorage {
        PostgreSQLStorage(name, try number(ofPerson: name, creating: creating), self, isOwner: false)
    }

    /// The storage of a person, without asking for a number that is known; `nil` if there is no such person.
    ///
    /// - Throws: `StorageError`. If the person was removed by another program, ``PostgreSQLStorage/open(_:)`` throws
    ///   `.removed`, and this method asks again.
    package func storage(ofExisting name: String) throws -> PostgreSQLStorage? {
        if let known = recent.person(name) { return PostgreSQLStorage(name, known.number, self, isOwner: false) }
        return try storedNumber(ofPerson: name).map { PostgreSQLStorage(name, $0, self, isOwner: false) }
    }

    /// Sets or removes the title of a person.
    package func setTitle(_ title: String?, ofPerson name: String) throws {
        try transact([
            PostgreSQLCall("UPDATE person SET title = $2 WHERE name = $1", [name, title])
        ])
    }

    /// Whether there is a person with this name.
    package func hasPerson(_ name: String) throws -> Bool {
        try storedNumber(ofPerson: name) != nil
    }

    /// Removes a person with the whole store. Has no effect if there is no such person.
    package func removePerson(_ name: String) throws {
        guard let person = try storedNumber(ofPerson: name) else { return }
        let tables = PostgreSQLSchema.personTables.reversed().map { table in
            table == "identity"
                ? PostgreSQLIdentities.removal(of: person, in: address.schema)
                : PostgreSQLCall("DELETE FROM \(table) WHERE person = $1", [person])
        }
        let begin = [
            PostgreSQLCall("BEGIN"), PostgreSQLStoreRow.setPerson(person),
            // A writer ends first. What it wrote is removed, too.
            PostgreSQLStoreRow.lock(person),
        ]
        // Servers with the store open notice that it is another one, if there is one of this name again.
        let end = [
            PostgreSQLCall("DELETE FROM person WHERE person = $1", [person]),
            PostgreSQLCall(
                "SELECT pg_notify($1, $2)", [PostgreSQLListener.channel(address.schema, person), "\(person) 0"]),
            PostgreSQLCall("COMMIT"),
        ]
        try transact(begin + tables + end)
    }

    /// Opens a separate connection and closes it. While the server doesn't answer, takes as long as it may restart.
    ///
    /// - Throws: `StorageError` if the server can't be reached.
    package func checkReachable() throws {
        _ = try StorageError.translatingPostgreSQL { try pool.open() }
    }

    /// Closes the connections. Storages of this database can't be used any longer.
    package func close() {
        listener.close()
        pool.close()
        replica?.close()
    }

    /// The number of a person, with which all keys begin.
    func number(ofPerson name: String, creating: Bool) throws -> Int64 {
        if let number = try storedNumber(ofPerson: name) { return number }
        guard creating else {
            throw StorageError(.unreachable, "The database has no store of this person.")
        }
        try pool.checkWritable()
        let identity = StoreIdentity(uuid: UUID(), seed: UInt64.random(in: 0 ... .max))
        return try StorageError.translatingPostgreSQL {
            try Self.repeating(over: pool.lease()) { connection in
                // In one transaction: where a node of a cluster is down, nothing remains of the person. The update
                // returns the number that another program is assigning.
                let number = try connection.execute([
                    PostgreSQLCall("BEGIN"),
                    PostgreSQLCall(
                        """
                        INSERT INTO person (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name
                        RETURNING person
                        """, [name]),
                ])[1][0].integer(0)
                _ = try connection.execute([
                    PostgreSQLStoreRow.setPerson(number), PostgreSQLStoreRow.insert(number, identity),
                    PostgreSQLCall("COMMIT"),
                ])
                return number
            }
        }
    }

    /// The number of a person. People are added and removed together with their stores.
    private func storedNumber(ofPerson name: String) throws -> Int64? {
        let rows = try run([PostgreSQLCall("SELECT person FROM person WHERE name = $1", [name])])
        return rows.count > 0 ? try rows[0].integer(0) : nil
    }

    /// Executes statements and returns the rows of the last. They are executed again if the connection is lost, so they
    /// must have no effect when repeated.
    func run(_ calls: [PostgreSQLCall]) throws -> PostgreSQLRows {
        try StorageError.translatingPostgreSQL { try Self.run(calls, over: pool.lease()) }
    }

    /// The same over a connection. Throws ``PostgreSQLFailure``.
    static func run(_ calls: [PostgreSQLCall], over lease: PostgreSQLLease) throws -> PostgreSQLRows {
        guard let rows = try repeating(over: lease, { try $0.execute(calls) }).last else {
            throw PostgreSQLSnapshot.noAnswer
        }
        return rows
    }

    /// Calls `body` again if the connection is lost or another transaction was in conflict.
    static func repeating<Value>(
        over lease: PostgreSQLLease, _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        var attempts = 0
        while true {
            do {
                return try lease.run(body)
            } catch let failure as PostgreSQLFailure {
                attempts += 1
                PostgreSQLSnapshot.rollBack(lease)
                guard failure.isTransient, attempts < 4 else { throw failure }
            }
        }
    }

    private func transact(_ calls: [PostgreSQLCall]) throws {
        try pool.checkWritable()
        _ = try run(calls)
    }
}
