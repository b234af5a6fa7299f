import Foundation
import HealthStorage
import PostgreSQLTestSupport
import Testing

@testable import HealthStoragePostgreSQL

@Suite struct PostgreSQLDatabaseTests {
    @Test func addressesAreRead() throws {
        let address = try PostgreSQLAddress(
            "postgresql://anna@db.example:5433/health?sslmode=verify-full&person=anna%20b&schema=study&role=server_role"
        )
        #expect(address.server == "postgresql://anna@db.example:5433/health?sslmode=verify-full")
        #expect(address.person == "anna b")
        #expect(address.schema == "study")
        #expect(address.role == "server_role")
        let short = try PostgreSQLAddress("postgres:///health?person=anna")
        #expect(short.server == "postgres:///health")
        #expect(short.schema == "openhealthkit")
        #expect(short.role == nil)
        let many = try PostgreSQLAddress(
            "postgresql://pooler/health?direct=[::1]:5432&replica=%2Frun%2Fr:5433&options=-cx")
        func place(_ server: PostgreSQLAddress.Server) -> [String] {
            many.parameters(of: server).filter { ["host", "port", "dbname"].contains($0.key) }.map(\.value)
        }
        #expect(place(.primary) == ["postgresql://pooler/health"])
        #expect(place(.direct) == ["postgresql://pooler/health", "::1", "5432"])
        #expect(place(.replica) == ["postgresql://pooler/health", "/run/r", "5433"] && many.hasReplica)
        // The schema holds whatever the URL says about the server's settings.
        let people = try TestPeople(schema: "kept&options=-csearch_path%3Dpublic")
        #expect(try people.makeStorage().read { try $0.lastSequence() } == 0)
    }

    @Test(arguments: [
        "/tmp/health.sqlite", "postgresql://host/db?schema=A-B", "postgresql://host/db?person=",
        "postgresql://host/db?role=x;y", "postgresql://host/db?direct=db", "postgresql://host/db?replica=db:0",
    ])
    func invalidAddressesAreRefused(_ url: String) {
        let error = #expect(throws: StorageError.self) { try PostgreSQLAddress(url) }
        #expect(error?.kind == .unreachable)
    }

    @Test func unreachableServersAreReported() throws {
        let url = try PostgreSQLServer.shared().url("person=a")
        for bad in [
            "postgresql://127.0.0.1:1/health?person=a", url.replacingOccurrences(of: "/postgres?", with: "/missing?"),
            url.replacingOccurrences(of: "person=a", with: "schema=a"),
        ] {
            let error = #expect(throws: StorageError.self) { try PostgreSQLStorage(url: bad) }
            #expect(error?.kind == .unreachable, "\(bad)")
        }
    }

    @Test(
        "Permanent failures are distinguished from temporary ones, and only damaged data is damage",
        arguments: [
            ("0A000", StorageError.Kind.rejected), ("42501", .rejected), ("42P01", .rejected), ("22021", .rejected),
            ("23502", .rejected), ("54000", .rejected), ("XX000", .inputOutput), ("XX001", .damaged),
            ("XX002", .damaged),
            ("53100", .inputOutput), ("55006", .inputOutput), ("58030", .inputOutput), ("23505", .duplicate),
            ("55P03", .busy), ("40001", .busy), ("28P01", .unreachable), ("57P01", .unreachable),
        ])
    func kindsOfErrors(_ state: String, _ kind: StorageError.Kind) {
        let error = StorageError(PostgreSQLFailure(state: state, message: "m", isConnectionLost: false))
        #expect(error.kind == kind)
        #expect(error.description.contains(state))
        #expect(kind != .rejected || !error.kind.isPassing)
    }

    @Test func aMissingPermissionIsPermanent() throws {
        let server = try PostgreSQLServer.shared()
        try server.psql("CREATE ROLE without_rights LOGIN")
        let people = try TestPeople(schema: "permissions")
        _ = try people.makeStorage()
        let address = try PostgreSQLAddress(server.url("schema=permissions", user: "without_rights"))
        let error = #expect(throws: StorageError.self) { try PostgreSQLDatabase(address) }
        #expect(error?.kind == .rejected, "\(error?.description ?? "")")
    }

    @Test func aMissingLibraryIsReported() {
        let missing = #expect(throws: PostgreSQLFailure.self) { try PostgreSQLLibrary("libpq-missing.so.5") }
        #expect(missing?.message.contains("libpq-missing.so.5") == true)
        // A library, but not this one.
        let other = #expect(throws: PostgreSQLFailure.self) { try PostgreSQLLibrary("libc.so.6") }
        #expect(other.map { StorageError($0).description.contains("libpq5") } == true)
        #expect(other?.message.contains("PQ") == true)
    }

    @Test func aUserWithoutRightsGetsAnError() throws {
        let server = try PostgreSQLServer.shared()
        try server.psql("CREATE ROLE stranger LOGIN")
        _ = try TestPeople(schema: "strange")
        let address = try PostgreSQLAddress(server.url("schema=strange", user: "stranger"))
        let error = #expect(throws: StorageError.self) { try PostgreSQLDatabase(address, creating: false) }
        #expect(error?.description.contains("permission denied for schema strange") == true)
    }

    /// A server continues to read when a newer program has upgraded the tables, if that one allows it.
    @Test func aNewerSchemaIsReadIfItCanBe() throws {
        let address = try PostgreSQLAddress(PostgreSQLServer.shared().url("schema=newer"))
        let database = try PostgreSQLDatabase(address)
        defer { database.close() }
        let storage = try database.storage(ofPerson: "anna")
        try storage.write { try $0.putPage(Rows.page(1)) }
        #expect(database.limitation == nil)
        _ = try database.run([PostgreSQLCall("UPDATE schema_version SET version = version + 1")])
        // As a load balancer asks it to.
        try database.checkReachable()
        #expect(database.limitation?.contains("has version 2, and this program version 1") == true)
        #expect(try Rows.pages(in: storage) == [1])
        for change in [
            { _ = try storage.write { try $0.allocateSequences(1) } },
            { _ = try database.storage(ofPerson: "berta") }, { try database.removePerson("anna") },
        ] as [() throws -> Void] {
            let error = #expect(throws: StorageError.self) { try change() }
            #expect(error?.kind == .notAStore && error?.description.contains("Install the newer hk") == true)
        }
        let administration = PostgreSQLAdministration(address)
        #expect(throws: StorageError.self) { try administration.initialize(role: "newer_role") }
        #expect(try administration.check().contains { $0.isProblem && $0.text.contains("has version 2") })
        let other = try PostgreSQLDatabase(address)
        #expect(try Rows.pages(in: other.storage(ofPerson: "anna", creating: false)) == [1])
        other.close()
        // The statements of this version can't read those tables.
        _ = try database.run([PostgreSQLCall("UPDATE schema_version SET readable_by = 2")])
        #expect(throws: StorageError.self) { try database.checkReachable() }
        let error = #expect(throws: StorageError.self) { try PostgreSQLDatabase(address) }
        #expect(error?.kind == .notAStore)
        #expect(throws: StorageError.self) { try storage.read { try $0.lastSequence() } }
    }

    @Test func anOlderSchemaIsReadUntilItIsUpgraded() {
        func compatibility(_ version: Int, _ oldest: Int) -> PostgreSQLSchema.Compatibility {
            PostgreSQLSchema.compatibility("s", version: version, readableBy: oldest)
        }
        #expect(compatibility(1, 1) == .full)
        guard case .nothing(let reason) = compatibility(0, 0), case .reading = compatibility(3, 1),
            case .nothing = compatibility(3, 2)
        else {
            Issue.record("The versions are not distinguished.")
            return
        }
        #expect(reason.contains("hk database init"))
    }

    @Test func pagesWithSummariesAreAddedUp() throws {
        let people = try TestPeople(schema: "summaries")
        let storage = try people.makeStorage()
        try storage.write { transaction in
            for number in 1...3 {
                var page = Rows.page(number)
                page.summary = PageTotals(
                    unit: 1, revisions: [1, 2], traits: 0, sum: 5, minimum: 1, maximum: Double(number), weightedSum: 0,
                    totalDuration: 6, coveredDuration: 6, latestValue: Double(number), latestStart: 1, latestEnd: 2)
                try transaction.putPage(page)
            }
        }
        func groups() throws -> [PageGroup] {
            let window = PageWindow.time(startsBefore: 1_000, endsAtOrAfter: 0)
            return try storage.read { try $0.pageGroups(of: Rows.paged, in: window, between: [0, 1_000, 4e6]) } ?? []
        }
        let group = try #require(try groups().first)
        guard case .summary(let sum) = group.content else {
            Issue.record("The pages were not added up.")
            return
        }
        #expect(try groups().count == 1 && group.bounds.count == 3_000 && group.key.firstSequence == 1)
        #expect(sum.sum == 15 && sum.maximum == 3 && sum.latestValue == 3 && sum.revisions == [1, 2])
        // A page without a summary is a separate group.
        try storage.write { try $0.putPage(Rows.page(2)) }
        #expect(try groups().map(\.content) == (1...3).map { .header(Rows.page($0).header) })
    }

    /// Programs that start at the same time create the tables once.
    @Test func theTablesAreCreatedOnce() throws {
        let address = try PostgreSQLAddress(PostgreSQLServer.shared().url("schema=together"))
        let failures = Progress()
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do {
                let database = try PostgreSQLDatabase(address)
                let identity = try database.storage(ofPerson: "anna").read { try $0.identity() }
                let other = try database.storage(ofPerson: "anna").read { try $0.identity() }
                if identity != other { failures.add() }
                database.close()
            } catch {
                failures.add()
            }
        }
        #expect(failures.count == 0)
    }

    @Test func peopleAreAddedFoundAndRemoved() throws {
        let people = try TestPeople(schema: "people")
        let database = people.database
        #expect(throws: StorageError.self) { try database.storage(ofPerson: "anna", creating: false) }
        for name in ["berta", "anna", "Åsa 🍎\0"] {
            try database.storage(ofPerson: name).write { try $0.putPage(Rows.page(1)) }
        }
        #expect(try database.people().map(\.name) == ["anna", "berta", "Åsa 🍎\0"])
        try database.setTitle("Anna 100% Berg", ofPerson: "anna")
        #expect(try database.people(search: "100% b") == [.init(name: "anna", title: "Anna 100% Berg")])
        #expect(try database.people(search: "ANN").map(\.name) == ["anna"])
        #expect(try database.people(after: "anna", limit: 1).map(\.name) == ["berta"])
        #expect(try database.people(among: ["Åsa 🍎\0", "anna", "x"], limit: 1).map(\.name) == ["anna"])
        try database.removePerson("anna")
        try database.removePerson("anna")
        #expect(try database.people().map(\.name) == ["berta", "Åsa 🍎\0"])
        #expect(try !database.hasPerson("anna"))
        #expect(try Rows.pages(in: database.storage(ofPerson: "anna")) == [])
        #expect(try Rows.pages(in: database.storage(ofPerson: "berta", creating: false)) == [1])
    }

    @Test("A person who is removed while another process writes leaves nothing")
    func aRemovalWaitsForAWriter() throws {
        let people = try TestPeople(schema: "removal")
        let database = people.database
        let storage = try database.storage(ofPerson: "anna")
        try storage.write { try $0.putPage(Rows.page(1)) }
        let removed = Progress()
        try storage.write { transaction in
            try transaction.putPage(Rows.page(2))
            // The page is in the database, and the row of the store is locked.
            var found = 0
            try transaction.visitPages(of: Rows.paged, in: .all, bodies: false) { _ in
                found += 1
                return true
            }
            #expect(found == 2)
            Thread.detachNewThread {
                if (try? database.removePerson("anna")) != nil { removed.add() }
            }
            while try database.run([
                PostgreSQLCall(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%store %'"
                )
            ])[0].integer(0) == 0 {}
        }
        #expect(removed.wait(for: 1))
        let left = try database.run([
            PostgreSQLCall("SELECT count(*) FROM page WHERE person = $1", [storage.person])
        ])
        #expect(try left[0].integer(0) == 0 && !database.hasPerson("anna"))
    }

    @Test func danglingReferencesAreFound() throws {
        let people = try TestPeople(schema: "damaged")
        let storage = try people.makeStorage()
        try storage.write { transaction in
            let first = try transaction.allocateSequences(2)
            try transaction.putPage(Rows.page(Int(first)))
            try transaction.putObject(
                StoredObject(
                    sequence: first + 1, uuid: Rows.uuid(1), type: Rows.object, start: 0, end: 0, revision: 0,
                    device: 0,
                    payload: []))
        }
        #expect(try storage.findDamage() == [])
        let damages = ["DELETE FROM identity", "DELETE FROM page_span", "UPDATE store SET last_sequence = 0"]
            .map { "\($0) \(PostgreSQLStatements.deliberate)" }
        try people.database.pool.lease().run { try $0.script(damages.joined(separator: "; ")) }
        #expect(try storage.findDamage().count == 4)
        #expect(try people.makeStorage().findDamage() == [])
    }

    @Test("A person whose store can't be created isn't added")
    func addingIsOneTransaction() throws {
        let server = try PostgreSQLServer.shared()
        let administration = try PostgreSQLAdministration(PostgreSQLAddress(server.url("schema=adding")))
        _ = try administration.initialize(role: "adding_role")
        try server.psql("REVOKE INSERT ON adding.store FROM adding_role")
        let database = try PostgreSQLDatabase(PostgreSQLAddress(server.url("schema=adding&role=adding_role")))
        defer { database.close() }
        let error = #expect(throws: StorageError.self) { try database.storage(ofPerson: "anna") }
        #expect(error?.kind == .rejected)
        #expect(try database.people().map(\.name) == [])
        try server.psql("GRANT INSERT ON adding.store TO adding_role")
        _ = try database.storage(ofPerson: "anna")
        #expect(try database.people().map(\.name) == ["anna"])
    }

    /// A backup made after a person was removed has nothing of that person.
    @Test func aRemovedPersonIsInNoLaterDump() throws {
        let server = try PostgreSQLServer()
        let people = try TestPeople(schema: "erased", server: server)
        let uuids = (0..<2).map(Rows.uuid)
        for (name, uuid) in zip(["anna", "berta"], uuids) {
            try people.database.storage(ofPerson: name).write { transaction in
                let sequence = try transaction.allocateSequences(1)
                try transaction.putObject(
                    StoredObject(
                        sequence: sequence, uuid: uuid, type: Rows.object, start: 0, end: 0, revision: 0, device: 0,
                        payload: Array("payload of \(name)".utf8)))
                try transaction.setValue(Array("value of \(name)".utf8), namespace: "a", key: "key of \(name)")
            }
        }
        func dump() throws -> String {
            try server.run("pg_dump -n erased --inserts postgres").lowercased()
        }
        let traces = [uuids[0].uuidString.lowercased(), "'anna'", "key of anna", "7061796c6f6164206f6620616e6e61"]
        let before = try dump()
        for trace in traces { #expect(before.contains(trace), "\(trace)") }
        try people.database.removePerson("anna")
        let after = try dump()
        for trace in traces { #expect(!after.contains(trace), "\(trace)") }
        #expect(after.contains(uuids[1].uuidString.lowercased()))
    }

    // MARK: Roles

    @Test func theServersRoleSeesOnePerson() throws {
        let server = try PostgreSQLServer.shared()
        let administration = try PostgreSQLAdministration(PostgreSQLAddress(server.url("schema=secured")))
        #expect(try administration.initialize().allSatisfy { !$0.isProblem })
        #expect(try administration.initialize().allSatisfy { !$0.isProblem })
        let address = try PostgreSQLAddress(server.url("schema=secured&role=openhealthkit_server"))
        let database = try PostgreSQLDatabase(address)
        let anna = try database.storage(ofPerson: "anna")
        let berta = try database.storage(ofPerson: "berta")
        for storage in [anna, berta] {
            try storage.write { transaction in
                let first = try transaction.allocateSequences(1)
                try transaction.putPage(Rows.page(Int(first)))
                _ = try transaction.intern(unit: "kg")
                try transaction.setValue([1], namespace: "a", key: "b")
            }
            #expect(try Rows.pages(in: storage) == [1])
        }
        // As many pages as others copy, which is not possible with row-level security.
        let many = try database.storage(ofPerson: "many")
        try many.write { transaction in
            for number in 1...200 { try transaction.putPage(Rows.page(number)) }
        }
        #expect(try Rows.pages(in: many) == Array(1...200))
        // A bug in a route: the transaction is Anna's, the statement asks for Berta's rows.
        let lease = try database.pool.lease()
        for table in ["store", "page", "unit", "setting"] {
            for (asked, expected) in [(anna.person, 1), (berta.person, 0)] {
                let rows = try lease.run {
                    try $0.execute([
                        PostgreSQLCall("BEGIN"), PostgreSQLStoreRow.setPerson(anna.person),
                        PostgreSQLCall("SELECT person FROM \(table) WHERE person = $1", [asked]),
                        PostgreSQLCall("ROLLBACK"),
                    ])[2]
                }
                #expect(rows.count == expected, "\(table)")
            }
            // Without a person nothing is seen.
            let rows = try lease.run {
                try $0.execute([PostgreSQLCall("SELECT person FROM \(table) \(PostgreSQLStatements.deliberate)")])[0]
            }
            #expect(rows.count == 0)
        }
        // Nor can anything be written for another person.
        #expect(throws: PostgreSQLFailure.self) {
            _ = try lease.run {
                try $0.execute([
                    PostgreSQLCall("BEGIN"), PostgreSQLStoreRow.setPerson(anna.person),
                    PostgreSQLCall("INSERT INTO unit (person, id, text) VALUES ($1, 9, 'x')", [berta.person]),
                ])
            }
        }
        lease.runIfConnected { try $0.executeLater(PostgreSQLCall("ROLLBACK")) }
        database.close()
        #expect(
            try PostgreSQLAdministration(address).check().contains {
                $0.text == "This user sees one person's rows at a time."
            })
    }

    @Test func checkFindsProblems() throws {
        let server = try PostgreSQLServer.shared()
        let address = try PostgreSQLAddress(server.url("schema=checked"))
        let administration = PostgreSQLAdministration(address)
        #expect(throws: StorageError.self) { try administration.check() }
        let people = try TestPeople(schema: "checked")
        // The user of the tests owns the tables, and their server does not wait for the disk.
        #expect(try administration.check().filter(\.isProblem).count == 2)
        try people.database.pool.lease().run {
            try $0.script("CREATE INDEX astray ON page (type); ALTER TABLE unit DISABLE ROW LEVEL SECURITY")
        }
        let problems = try administration.check().filter(\.isProblem).map(\.text)
        #expect(problems.count == 4)
        #expect(problems.contains { $0.contains("astray") })
        #expect(problems.contains { $0.hasSuffix("row-level security: unit.") })
        try server.psql("ALTER TABLE checked.schema_version DROP CONSTRAINT schema_version_pkey")
        let more = try administration.check().filter(\.isProblem).map(\.text)
        #expect(more.count == 5 && more.contains { $0.hasPrefix("The table schema_version has no primary key") })
        try server.psql("ALTER TABLE checked.schema_version ADD PRIMARY KEY (version)")
        _ = try administration.initialize(role: "checked_role")
        // A right that was taken away, of a role that sees one person's rows.
        try server.psql("REVOKE INSERT ON checked.unit FROM checked_role")
        let role = try PostgreSQLAddress(server.url("schema=checked&role=checked_role"))
        let left = try PostgreSQLAdministration(role).check().filter(\.isProblem).map(\.text)
        #expect(!left.contains { $0.contains("no primary key") })
        #expect(left.contains { $0.hasPrefix("This user can't write stores.") && $0.contains("42501") }, "\(left)")
    }

    /// As on a cluster that others manage, whose superuser isn't lent.
    @Test func preparesWithoutASuperuser() throws {
        let server = try PostgreSQLServer.shared()
        try server.psql(
            "CREATE ROLE manager LOGIN CREATEROLE", "GRANT CREATE ON DATABASE postgres TO manager")
        let administration = PostgreSQLAdministration(
            try PostgreSQLAddress(server.url("schema=managed", user: "manager")))
        for _ in 0..<2 { #expect(try administration.initialize(role: "managed_role").allSatisfy { !$0.isProblem }) }
        try server.psql("CREATE ROLE managed_user LOGIN IN ROLE managed_role")
        let address = try PostgreSQLAddress(server.url("schema=managed&role=managed_role", user: "managed_user"))
        let database = try PostgreSQLDatabase(address, creating: false)
        try database.storage(ofPerson: "anna").write { try $0.putPage(Rows.page(1)) }
        database.close()
        let problems = try PostgreSQLAdministration(address).check().filter(\.isProblem).map(\.text)
        #expect(problems.allSatisfy { $0.hasPrefix("fsync") }, "\(problems)")
    }

    @Test func settingsOfWorkersAreChecked() throws {
        let right = """
            fsync=on full_page_writes=on synchronous_commit=remote_apply max_prepared_transactions=400 \
            log_min_error_statement=fatal
            """
        #expect(
            PostgreSQLCluster.problems(
                ofWorker: "w:1", settings: right + " enable_seqscan=off jit=off lock_timeout=10000")
                == [])
        let problems = PostgreSQLCluster.problems(
            ofWorker: "w:1", settings: "fsync=on full_page_writes=on synchronous_commit=off max_prepared_transactions=0"
        )
        try #require(problems.count == 6)
        #expect(problems[0].hasPrefix("synchronous_commit is off on the worker w:1"))
        #expect(problems[5].hasPrefix("lock_timeout is unknown"))
    }
}
