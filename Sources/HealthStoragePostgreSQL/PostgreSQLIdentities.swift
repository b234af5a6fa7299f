import Foundation
import HealthModel
import HealthStorage

/// The table of given UUIDs, whose rows have those of up to ``rowCount`` successive sequence numbers.
///
/// An index of arrays (GIN) finds the row of each. PostgreSQL doesn't use such an index where row-level security applies,
/// so the table is read and written by functions, which its owner has created.
enum PostgreSQLIdentities {
    /// The number of UUIDs of a row, of which six then fill a block of the database.
    private static let rowCount: Int64 = 60

    /// The arguments: the person, keys, and the sequence number and the number of rows after and up to which to read. Returns
    /// whole rows, in order, each UUID with the first number of its row in the last column.
    private static let read = PostgreSQLFunction(
        name: "identities", arguments: ["int8", "int8[]", "int8", "int8"],
        columns: ["key int8", "rest int8", "type int8", "sequence int8", "first int8"], isOwners: true
    ) { schema in
        """
            RETURN QUERY SELECT known.key, known.rest, known.type & 4294967295,
                part.sequence + (known.place - 1), part.sequence
            FROM (
                SELECT * FROM \(schema).identity WHERE person = $1 AND keys && $2 AND sequence > $3
                ORDER BY sequence FETCH FIRST $4 ROWS WITH TIES) AS part
            CROSS JOIN LATERAL unnest(part.keys, part.rests, part.types) WITH ORDINALITY
                AS known (key, rest, type, place)
            WHERE known.rest IS NOT NULL;
        """
    }

    /// The arguments: the person, and ``Rows/arguments``.
    private static let enter = PostgreSQLFunction(
        name: "enter_identities", arguments: ["int8"] + Rows.types, variables: variables, isOwners: true
    ) { entering(in: $0, from: 2) }

    /// The arguments: the person, and the keys and rests of UUIDs; without any, all are removed.
    private static let remove = PostgreSQLFunction(
        name: "remove_identities", arguments: ["int8", "int8[]", "int8[]"], variables: "stored record;", isOwners: true
    ) { schema in
        """
            IF cardinality($2) = 0 THEN
                DELETE FROM \(schema).identity WHERE person = $1 AND keys && ARRAY[- $1];
                RETURN;
            END IF;
            FOR stored IN
                SELECT identity.ctid AS place, bool_or(known.stays) AS stays,
                    array_agg(CASE WHEN known.stays THEN known.key END ORDER BY known.place) || - $1 AS keys,
                    array_agg(CASE WHEN known.stays THEN known.rest END ORDER BY known.place) AS rests
                FROM \(schema).identity CROSS JOIN LATERAL (
                    SELECT key, rest, place, (key, rest) NOT IN (SELECT * FROM unnest($2, $3)) AS stays
                    FROM unnest(keys[:cardinality(rests)], rests) WITH ORDINALITY AS entry (key, rest, place)) AS known
                WHERE person = $1 AND keys && $2 GROUP BY identity.ctid
            LOOP
                IF stored.stays THEN
                    UPDATE \(schema).identity SET keys = stored.keys, rests = stored.rests
                    WHERE person = $1 AND ctid = stored.place;
                ELSE
                    DELETE FROM \(schema).identity WHERE person = $1 AND ctid = stored.place;
                END IF;
            END LOOP;
        """
    }

    static let functions = [read, enter, remove]

    /// Statements that enter UUIDs, in a function whose arguments from a number on are ``Rows/arguments``. Fail if one is
    /// stored: a person's writers follow each other, so no constraint is needed.
    static func entering(in schema: String, from first: Int) -> String {
        let (keys, rests, types) = ("$\(first)", "$\(first + 1)", "$\(first + 2)")
        let (counts, sequences) = ("$\(first + 3)", "$\(first + 4)")
        func part(_ array: String) -> String { "\(array)[uuids_used + 1:uuids_used + \(counts)[i]]" }
        return """
                IF EXISTS (SELECT FROM \(schema).identity WHERE person = $1 AND keys && \(keys)) AND EXISTS (
                    SELECT FROM \(schema).identity CROSS JOIN LATERAL unnest(keys, rests) AS known (key, rest)
                    JOIN unnest(\(keys), \(rests)) AS given (key, rest) USING (key, rest)
                    WHERE person = $1 AND keys && \(keys))
                THEN RAISE unique_violation; END IF;
                FOR i IN 1 .. cardinality(\(sequences)) LOOP
                    INSERT INTO \(schema).identity (person, sequence, keys, rests, types)
                    VALUES ($1, \(sequences)[i], \(part(keys)) || - $1, \(part(rests)), \(part(types)));
                    uuids_used := uuids_used + \(counts)[i];
                END LOOP;
            """
    }

    /// The variables of ``entering(in:from:)``.
    static let variables = "uuids_used int8 := 0;"

    /// New rows of the table.
    struct Rows {
        private var keys: [Int64?] = []
        private var rests: [Int64?] = []
        /// The types, as signed numbers of 32 bits.
        private var codes: [Int64?] = []
        private var counts: [Int64] = []
        private var sequences: [Int64] = []

        init(_ identities: [UUID: StoredIdentity]) {
            for (uuid, identity) in identities.sorted(by: { $0.value.sequence < $1.value.sequence }) {
                add(uuid, identity)
            }
        }

        private mutating func add(_ uuid: UUID, _ identity: StoredIdentity) {
            if let first = sequences.last, let count = counts.last,
                (count..<rowCount).contains(identity.sequence &- first)
            {
                // Numbers without a UUID take a bit.
                for _ in count..<identity.sequence - first {
                    keys.append(nil)
                    rests.append(nil)
                    codes.append(nil)
                }
                counts[counts.count - 1] = identity.sequence - first + 1
            } else {
                sequences.append(identity.sequence)
                counts.append(1)
            }
            keys.append(uuid.key)
            rests.append(uuid.rest)
            codes.append(Int64(Int32(bitPattern: identity.type.rawValue)))
        }

        /// The keys, rests and types of all rows, the number of them in each, and its first sequence number.
        var arguments: [any PostgreSQLArgument] { [keys, rests, codes, counts, sequences] }
        static let types = [String](repeating: "int8[]", count: 5)
    }

    // MARK: Calls

    private static let lookedUpAtOnce = 8_192

    /// Statements that find UUIDs, with others that are in the same rows.
    static func lookup(_ uuids: [UUID], of person: Int64, in schema: String) -> [PostgreSQLCall] {
        stride(from: 0, to: uuids.count, by: lookedUpAtOnce).map { start in
            let keys = uuids[start..<min(start + lookedUpAtOnce, uuids.count)].map(\.key)
            return read.call(in: schema, [person, keys, Int64.min, Int64.max])
        }
    }

    /// The statement that reads the next rows, as many as are given, after those that begin with a sequence number.
    static func next(_ count: Int64, after first: Int64, of person: Int64, in schema: String) -> PostgreSQLCall {
        read.call(in: schema, [person, [-person], first, count])
    }

    /// The statement that enters UUIDs.
    static func entry(_ identities: [UUID: StoredIdentity], of person: Int64, in schema: String) -> PostgreSQLCall {
        enter.call(in: schema, [person] + Rows(identities).arguments)
    }

    /// The statement that removes UUIDs; without any, all.
    static func removal(_ uuids: Set<UUID> = [], of person: Int64, in schema: String) -> PostgreSQLCall {
        remove.call(in: schema, [person, uuids.map(\.key), uuids.map(\.rest)])
    }

    /// The column with the first sequence number of a UUID's row.
    static let firstColumn: Int32 = 4

    /// Reads a row of the answers.
    static func identity(_ row: PostgreSQLRow) throws -> (uuid: UUID, identity: StoredIdentity) {
        (UUID(key: try row.integer(0), rest: try row.integer(1)), try StoredIdentity(row, at: 2))
    }
}

/// A UUID as two numbers: its second half, and that in its first half that isn't in the second. The latter differ for all
/// UUIDs, whether these are random, begin with a time, or end with the number of a machine.
extension UUID {
    fileprivate var halves: (first: Int64, second: Int64) {
        withUnsafeBytes(of: uuid) { bytes in
            (
                Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)),
                Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
            )
        }
    }

    fileprivate var key: Int64 { halves.first ^ halves.second }
    fileprivate var rest: Int64 { halves.second }

    fileprivate init(key: Int64, rest: Int64) {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(key ^ rest)
        bytes.appendBigEndian(rest)
        self.init(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
