extension SchemaCatalog {
    /// The nights of sleep, which layers above compute.
    static func nights(_ rows: [[SQLValue]]) -> VirtualTable {
        let times = ["asleep", "in bed", "awake", "in REM sleep", "in core sleep", "in deep sleep", "asleep in naps"]
        let names = ["asleep", "in_bed", "awake", "rem", "core", "deep", "naps"]
        return ListTable(
            "nights",
            [
                SQLColumn("day", .day, "local day on which the night ends, such as 2024-01-31"),
                SQLColumn("start_date", .instant, "start as ISO 8601; NULL on a day with naps only"),
                SQLColumn("end_date", .instant, "end as ISO 8601"),
            ] + zip(names, times).map { SQLColumn($0, .real, "seconds \($1)") },
            about: "Nights of sleep, with overlapping sources merged and naps apart."
        ) { rows }
    }
}
