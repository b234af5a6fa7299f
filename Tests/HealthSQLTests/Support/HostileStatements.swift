/// Statements that try to take memory or time without end, each in another way.
enum HostileStatements {
    private static func times(_ count: Int, _ text: String, _ separator: String = ", ") -> String {
        Array(repeating: text, count: count).joined(separator: separator)
    }

    private static func each(_ range: Range<Int>, _ separator: String = ", ", _ text: (Int) -> String) -> String {
        range.map(text).joined(separator: separator)
    }

    /// A text of some bytes as the column `h` of a table of one row.
    private static func with(_ bytes: Int, _ value: String = "hex(zeroblob(%))") -> String {
        "WITH m(h) AS MATERIALIZED (SELECT \(value.replacing("%", with: "\(bytes / 2)"))) SELECT "
    }

    private static let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "

    static let all: [String] = [
        wide(), functions(), formatted(), aggregates(), sorted(), joined(), prepared(), tables(), explained(),
    ].flatMap(\.self)

    /// Rows of many large values.
    private static func wide() -> [String] {
        var list: [String] = []
        for bytes in [4_000_000, 1_000_000, 262_000, 100_000] {
            list.append(with(bytes) + times(500, "h") + " FROM m")
            list.append(with(bytes) + times(500, "h || ''") + " FROM m")
            list.append(with(bytes) + times(1_900, "h + 1") + " FROM m")
            list.append(with(bytes) + times(900, "h", " + ") + " FROM m")
            list.append(with(bytes) + times(1_000, "length(h || h)") + " FROM m")
        }
        return list
    }

    /// Functions that make long texts, or take long within one call.
    private static func functions() -> [String] {
        var list: [String] = []
        list.append(with(250_000) + times(900, "length(upper(h))") + " FROM m")
        list.append(with(250_000) + times(900, "hex(substr(h, 1, 100000))") + " FROM m")
        list.append(with(250_000) + times(900, "randomblob(250000)") + " FROM m")
        list.append(with(250_000) + times(900, "length(quote(randomblob(100000)))") + " FROM m")
        list.append(with(250_000) + times(900, "CAST(h AS REAL)") + " FROM m")
        list.append(with(250_000) + times(900, "h = h COLLATE NOCASE", " AND ") + " FROM m")
        list.append(with(250_000) + times(900, "min(h, h || 'a', h)") + " FROM m")
        list.append(with(250_000) + times(900, "datetime(h)") + " FROM m")
        list.append(with(250_000) + times(300, "h IN (h || 1, h || 2, h || 3)", " OR ") + " FROM m")
        list.append(
            with(250_000, "replace(hex(zeroblob(%)), '00', '%J')") + times(900, "length(strftime(h, 0))") + " FROM m")
        list.append("SELECT length(zeroblob(2000000000))")
        list.append("SELECT length(randomblob(1000000000))")
        list.append("SELECT replace(hex(zeroblob(60000)), '0', hex(zeroblob(60000)))")
        list.append("SELECT replace(replace(hex(zeroblob(60000)), '0', 'aaaaaaaaaa'), 'a', 'bbbbbbbbbb')")
        list.append("SELECT trim(hex(zeroblob(100000)), hex(randomblob(60000)))")
        list.append("SELECT instr(hex(zeroblob(100000)), hex(zeroblob(60000)) || '1')")
        list.append(
            "SELECT replace(hex(zeroblob(120000)), '0', 'a') LIKE '%' || replace(hex(zeroblob(49)), '0', 'a%') || 'b'")
        list.append(
            "SELECT replace(hex(zeroblob(120000)), '0', 'a') GLOB '*' || replace(hex(zeroblob(40)), '0', '[a-b]*') || 'c'"
        )
        list.append("SELECT convert(1, hex(zeroblob(100000)), hex(zeroblob(100000))), instant(hex(zeroblob(100000)))")
        list.append("WITH RECURSIVE n(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM n) SELECT max(length(x)) FROM n")
        list.append(
            "WITH RECURSIVE n(x) AS (SELECT 'a' UNION ALL SELECT replace(x, 'a', 'aaaaaaaaaa') FROM n) SELECT x FROM n")
        return list
    }

    private static func formatted() -> [String] {
        var list: [String] = []
        list.append("SELECT printf('%.*c', 2147483647, 'x')")
        list.append("SELECT printf('%2147483647d', 1)")
        list.append("SELECT printf('%.2147483647f', 1.5)")
        list.append("SELECT " + times(500, "printf('%1000d%1000d%1000d', 1, 2, 3)"))
        list.append("SELECT json('[' || replace(hex(zeroblob(60000)), '0', '[],') || '1]')")
        list.append("SELECT json_patch('{}', '{\"a\":' || hex(zeroblob(60000)) || '}')")
        list.append(
            with(200_000, "'[' || replace(hex(zeroblob(%)), '00', '1,') || '1]'") + times(900, "json_array_length(h)")
                + " FROM m")
        list.append(
            with(200_000, "'[' || replace(hex(zeroblob(%)), '00', '1,') || '1]'")
                + "count(*) FROM m, json_each(h) a, json_each(h) b")
        list.append(
            with(200_000, "'[' || replace(hex(zeroblob(%)), '00', '1,') || '1]'")
                + "group_concat(t.fullkey || t.json) FROM m, json_tree(h) t, json_tree(h) u")
        list.append(
            with(200_000, "'[' || replace(hex(zeroblob(%)), '00', '1,') || '1]'") + times(300, "json_set(h, '$[0]', h)")
                + " FROM m")
        list.append("SELECT " + times(100, "json_array(json_array(json_array(hex(zeroblob(20000)))))"))
        return list
    }

    private static func aggregates() -> [String] {
        var list: [String] = []
        list.append("SELECT length(group_concat(hex(zeroblob(30000)))) FROM samples a, samples b")
        list.append(
            "SELECT " + times(300, "group_concat(hex(zeroblob(1000)) || a.sequence)") + " FROM samples a, samples b")
        list.append(with(250_000) + times(300, "max(h || sequence)") + " FROM m, samples")
        list.append(with(200_000) + "count(DISTINCT h || a.sequence || b.sequence) FROM m, samples a, samples b")
        list.append(
            "SELECT " + each(0..<200) { "count(DISTINCT a.sequence || '\($0)' || b.sequence)" }
                + " FROM samples a, samples b")
        list.append(
            "SELECT json_group_array(a.sequence), json_group_object(b.sequence, a.uuid) FROM samples a, samples b")
        list.append("SELECT median(a.sequence + b.sequence + c.sequence) FROM samples a, samples b, samples c")
        list.append("SELECT " + times(100, "median(a.sequence + b.sequence)") + " FROM samples a, samples b")
        list.append(endless + "SELECT " + times(50, "percentile(x, 5)") + " FROM n")
        list.append(endless + "SELECT count(DISTINCT x || 'a') FROM n")
        return list
    }

    private static func sorted() -> [String] {
        var list: [String] = []
        list.append(with(200_000) + "h || sequence FROM m, samples ORDER BY 1")
        list.append(with(200_000) + "h || a.sequence FROM m, samples a, samples b ORDER BY 1 LIMIT 1 OFFSET 10000000")
        list.append(endless + "SELECT x FROM n ORDER BY x DESC")
        list.append("WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT x + 1 FROM n) SELECT count(*) FROM n")
        list.append(
            "WITH RECURSIVE n(x) AS (SELECT zeroblob(200000) UNION ALL SELECT zeroblob(200000) FROM n) SELECT x FROM n ORDER BY x"
        )
        list.append(
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + y FROM n, (SELECT 1 AS y UNION ALL SELECT 2)) SELECT sum(x) FROM n"
        )
        list.append("SELECT * FROM samples a, samples b, samples c ORDER BY a.uuid || b.uuid || c.uuid")
        list.append(
            "SELECT " + each(0..<60) { "sum(a.value) OVER (PARTITION BY b.uuid || \($0) ORDER BY a.sequence)" }
                + " FROM samples a, samples b")
        list.append(
            with(200_000)
                + "first_value(h || a.sequence) OVER (ORDER BY a.sequence ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW) "
                + "FROM m, samples a, samples b")
        list.append(times(500, "SELECT uuid FROM samples", " UNION ") + " ORDER BY 1")
        list.append(times(500, "SELECT uuid, sequence FROM samples", " UNION ALL ") + " ORDER BY 1")
        list.append(times(100, "SELECT uuid, metadata FROM samples", " UNION ALL ") + " ORDER BY 1")
        list.append("SELECT DISTINCT a.uuid, b.uuid, c.uuid FROM samples a, samples b, samples c")
        list.append(
            "SELECT a.uuid, count(*) FROM samples a, samples b, samples c GROUP BY a.uuid, b.uuid, c.uuid ORDER BY 2")
        return list
    }

    private static func joined() -> [String] {
        var list: [String] = []
        list.append("SELECT count(*) FROM samples a, samples b, samples c, samples d")
        list.append(endless + "SELECT count(*) FROM n")
        list.append(endless + "SELECT x FROM n")
        list.append(endless + "SELECT sum(value) FROM n, step_count")
        list.append(
            "SELECT count(*) FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT random() FROM n) SELECT x FROM n)")
        list.append(
            "SELECT count(*) FROM samples a LEFT JOIN samples b ON a.uuid LIKE b.uuid || '%' LEFT JOIN samples c ON 1")
        list.append("SELECT count(*) FROM " + each(0..<60) { "samples s\($0)" })
        list.append(
            "SELECT count(*) FROM " + each(0..<60) { "samples s\($0)" } + " WHERE "
                + each(1..<60, " AND ") { "s\($0).sequence = s\($0 - 1).sequence" })
        list.append("SELECT * FROM metadata a, metadata b, metadata c, samples d ORDER BY a.value || b.value")
        return list
    }

    /// Statements that grow while SQLite prepares them.
    private static func prepared() -> [String] {
        var list: [String] = []
        list.append(
            "WITH a0 AS (SELECT 1 AS x), " + each(1..<40) { "a\($0) AS (SELECT p.x FROM a\($0 - 1) p, a\($0 - 1) q)" }
                + " SELECT * FROM a39")
        list.append(
            "WITH a0(x) AS (SELECT 1), " + each(1..<40) { "a\($0)(x) AS (SELECT x + x FROM a\($0 - 1))" }
                + " SELECT * FROM a39")
        list.append(
            "WITH a0(x) AS (SELECT 1), "
                + each(1..<40) { "a\($0)(x) AS (SELECT (SELECT x FROM a\($0 - 1)) + (SELECT x FROM a\($0 - 1)))" }
                + " SELECT * FROM a39")
        list.append(
            "WITH a0(x) AS (SELECT 1), "
                + each(1..<40) { "a\($0)(x) AS (SELECT x FROM a\($0 - 1) UNION ALL SELECT x FROM a\($0 - 1))" }
                + " SELECT * FROM a39")
        list.append(
            "WITH a0 AS (SELECT * FROM samples), "
                + each(1..<20) { "a\($0) AS (SELECT p.*, q.* FROM a\($0 - 1) p, a\($0 - 1) q)" } + " SELECT * FROM a19")
        list.append("SELECT " + each(0..<300) { "(SELECT \($0) FROM samples WHERE type IN (SELECT type FROM types))" })
        list.append("SELECT 1 WHERE 1 IN (" + each(0..<40_000) { "\($0)" } + ")")
        list.append("SELECT " + times(30_000, "1", " + "))
        list.append("SELECT " + times(2_000, "1") + ", 1")
        list.append("SELECT " + String(repeating: "(", count: 50_000) + "1" + String(repeating: ")", count: 50_000))
        list.append("SELECT " + times(3_000, "abs(1)", " + "))
        return list
    }

    /// Cursors that hold pages or rows.
    private static func tables() -> [String] {
        var list: [String] = []
        list.append("SELECT " + each(0..<600) { "(SELECT uuid FROM samples ORDER BY start_time LIMIT 1 OFFSET \($0))" })
        list.append(
            "SELECT " + each(0..<300) { "(SELECT metadata FROM samples s\($0) ORDER BY start_time DESC LIMIT 1)" })
        list.append("SELECT " + times(500, "(SELECT count(*) FROM daily)"))
        list.append("SELECT " + times(500, "(SELECT max(day) FROM daily)"))
        list.append("SELECT " + times(1_900, "uuid") + " FROM samples")
        list.append("SELECT " + times(1_900, "metadata") + " FROM samples")
        return list
    }

    private static func explained() -> [String] {
        var list: [String] = []
        list.append("EXPLAIN SELECT * FROM samples")
        list.append("EXPLAIN SELECT day(a.start_time), count(*) FROM samples a JOIN daily b GROUP BY 1")
        return list
    }
}
