import Foundation
import HealthModel
import HealthStorage

extension PostgreSQLTransaction {
    /// New rows of the tables that an import fills. They are sent together, one statement a table, after the other
    /// statements: none of them changes a row that is stored.
    struct PendingRows {
        /// The key of a run of links.
        struct RunKey: Hashable, Comparable {
            var owner: Int64
            var first: Int64

            init(_ run: LinkRun) { (owner, first) = (run.owner, run.first) }

            static func < (left: RunKey, right: RunKey) -> Bool {
                (left.owner, left.first) < (right.owner, right.first)
            }
        }

        var identities: [UUID: StoredIdentity] = [:]
        var objects: [StoredObject] = [] { didSet { byteCount += objects.last?.payload.count ?? 0 } }
        var runs: [RunKey: LinkRun] = [:]
        private var byteCount = 0

        /// The approximate length of the statements.
        var length: Int { byteCount + (identities.count + objects.count + runs.count) * 64 }

        /// One statement a table. Identities come first: a duplicate is found before anything of the object has been
        /// written.
        func calls(_ person: Int64) -> [PostgreSQLCall] {
            [identities(person), objects(person), runs(person)].compactMap { $0 }
        }

        private func identities(_ person: Int64) -> PostgreSQLCall? {
            guard !identities.isEmpty else { return nil }
            let rows = identities.sorted { $0.value.sequence < $1.value.sequence }
            return PostgreSQLCall(
                """
                INSERT INTO identity (person, uuid, type, sequence)
                SELECT $1, * FROM unnest($2::uuid[], $3::int8[], $4::int8[])
                """,
                [person, rows.map(\.key), rows.map(\.value.type), rows.map(\.value.sequence)])
        }

        private func objects(_ person: Int64) -> PostgreSQLCall? {
            guard !objects.isEmpty else { return nil }
            return PostgreSQLCall(
                """
                INSERT INTO object (person, sequence, type, start, "end", uuid, revision, device, payload)
                SELECT $1, * FROM unnest($2::int8[], $3::int8[], $4::float8[], $5::float8[], $6::uuid[], $7::int8[],
                    $8::int8[], $9::bytea[])
                """,
                [
                    person, objects.map(\.sequence), objects.map(\.type), objects.map(\.start), objects.map(\.end),
                    objects.map(\.uuid), objects.map { Int64($0.revision) }, objects.map { Int64($0.device) },
                    objects.map(\.payload),
                ])
        }

        private func runs(_ person: Int64) -> PostgreSQLCall? {
            guard !runs.isEmpty else { return nil }
            let rows = runs.sorted { $0.key < $1.key }.map(\.value)
            return PostgreSQLCall(
                """
                INSERT INTO link_run (person, \(PostgreSQLSnapshot.runColumns), reach)
                SELECT $1, * FROM unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[])
                """,
                [
                    person, rows.map(\.owner), rows.map(\.first), rows.map(\.last), rows.map(\.ownerType),
                    rows.map(\.memberType), rows.map(\.reach.rawValue),
                ])
        }
    }
}
