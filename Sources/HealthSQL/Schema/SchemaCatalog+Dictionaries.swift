import HealthEngine
import HealthModel

extension SchemaCatalog {
    /// The small tables: types, sources, devices, activity summaries, and characteristics.
    static func dictionaries(_ context: TableContext) -> [VirtualTable] {
        [
            types(context), sources(context), revisions(context), devices(context), ActivitySummaryTable(context),
            person(context),
        ]
    }

    private static func types(_ context: TableContext) -> VirtualTable {
        ListTable(
            "types",
            [
                SQLColumn("type", .name, "short name, as in samples.type"),
                SQLColumn("identifier", .name, "HealthKit’s identifier"),
                SQLColumn("kind", .text, "family, such as quantity or workout"),
                SQLColumn("unit", .text, "unit of the type, as in samples.unit"),
                SQLColumn("aggregation", .text, "aggregation style, such as cumulative"),
                SQLColumn("count", .integer, "number of samples or objects"),
                SQLColumn("first_date", .instant, "the earliest start as ISO 8601"),
                SQLColumn("last_date", .instant, "the latest end as ISO 8601"),
                SQLColumn("type_code", .integer, "type code in the store"),
            ], about: "The types in the store, with counts and dates."
        ) {
            try context.types.get().map { type in
                var (count, first, last) = (0, Double.infinity, -Double.infinity)
                if type.kind.isPaged {
                    for page in try context.reading.pages(of: type.code) {
                        guard !page.isWhole else {
                            count += page.count
                            first = min(first, page.firstStart)
                            last = max(last, page.maximumEnd)
                            continue
                        }
                        // The header is also about what the caller may not read.
                        let rows = try context.reading.rows(of: page, columns: [.starts, .ends])
                        count += rows.starts.count
                        first = min(first, rows.starts.min() ?? first)
                        last = max(last, rows.ends.max() ?? last)
                    }
                } else {
                    for object in try context.reading.objects(of: type.code) {
                        let span = context.span(object)
                        count += 1
                        first = min(first, span.start)
                        last = max(last, span.end)
                    }
                }
                return [
                    .text(type.shortName), .text(type.identifier), .text("\(type.kind)"),
                    SQLValue(try context.unit(of: type)?.unit ?? type.canonicalUnit),
                    SQLValue(type.aggregationStyle.map { "\($0)" }), SQLValue(count),
                    count > 0 ? .text(context.clock.text(first)) : .null,
                    count > 0 ? .text(context.clock.text(last)) : .null, .integer(Int64(type.code.rawValue)),
                ]
            }
        }
    }

    private static func sources(_ context: TableContext) -> VirtualTable {
        ListTable(
            "sources",
            [
                SQLColumn("bundle_identifier", .text, "identity of the source"),
                SQLColumn("name", .text, "display name"),
                SQLColumn("revisions", .integer, "number of versions that wrote samples"),
            ], about: "The applications and devices that wrote samples."
        ) {
            var order: [SourceRecord] = []
            var counts: [SourceRecord: Int] = [:]
            for (_, revision) in try readableRevisions(context) {
                if counts[revision.source] == nil { order.append(revision.source) }
                counts[revision.source, default: 0] += 1
            }
            return order.map { [.text($0.bundleIdentifier), .text($0.name), SQLValue(counts[$0])] }
        }
    }

    /// The source revisions that the caller may know, with their indexes.
    private static func readableRevisions(
        _ context: TableContext
    ) throws -> [(offset: Int, element: SourceRevisionRecord)] {
        let all = Array(context.reading.dictionaries.revisions.enumerated())
        guard context.reading.isSubjectToAuthorization else { return all }
        let readable = try context.reading.readableRevisions()
        return all.filter { readable.contains(UInt32($0.offset + 1)) }
    }

    private static func revisions(_ context: TableContext) -> VirtualTable {
        ListTable(
            "source_revisions",
            [
                SQLColumn("revision_id", .integer, "as in samples.revision_id"),
                SQLColumn("bundle_identifier", .text, "the source’s bundle identifier"),
                SQLColumn("name", .text, "the source’s name"), SQLColumn("version", .text, "the source’s version"),
                SQLColumn("product_type", .text, "the hardware, such as Watch6,7"),
                SQLColumn("os_version", .text, "version of the operating system"),
            ], about: "Sources by version and product type."
        ) {
            try readableRevisions(context).map { index, revision in
                let system = revision.operatingSystemVersion
                let isKnown = system != OperatingSystemVersionRecord()
                return [
                    SQLValue(index + 1), .text(revision.source.bundleIdentifier), .text(revision.source.name),
                    SQLValue(revision.version), SQLValue(revision.productType),
                    isKnown ? .text("\(system.major).\(system.minor).\(system.patch)") : .null,
                ]
            }
        }
    }

    private static func devices(_ context: TableContext) -> VirtualTable {
        ListTable(
            "devices",
            [
                SQLColumn("device_id", .integer, "as in samples.device_id"), SQLColumn("name", .text, "its name"),
                SQLColumn("manufacturer", .text, "who made it"), SQLColumn("model", .text, "such as Watch"),
                SQLColumn("hardware_version", .text, "such as Watch6,7"),
                SQLColumn("firmware_version", .text, "version of the firmware"),
                SQLColumn("software_version", .text, "version of the software"),
                SQLColumn("local_identifier", .text, "the source’s identifier of the device"),
                SQLColumn("udi_device_identifier", .text, "device identifier of the UDI"),
            ], about: "The devices that measured samples."
        ) {
            // An application sees the devices of samples in the table of samples only.
            guard !context.reading.isSubjectToAuthorization else { return [] }
            return context.reading.dictionaries.devices.enumerated().map { index, device in
                [
                    SQLValue(index + 1), SQLValue(device.name), SQLValue(device.manufacturer), SQLValue(device.model),
                    SQLValue(device.hardwareVersion), SQLValue(device.firmwareVersion),
                    SQLValue(device.softwareVersion), SQLValue(device.localIdentifier),
                    SQLValue(device.udiDeviceIdentifier),
                ]
            }
        }
    }

    private static func person(_ context: TableContext) -> VirtualTable {
        ListTable(
            "characteristics", [SQLColumn("name", .text, "which fact"), SQLColumn("value", .text, "a word or a date")],
            about: "The person’s characteristics."
        ) {
            let profile = try context.reading.profile()
            func word(_ value: Int?, _ words: [String]) -> String? {
                value.map { words.indices.contains($0) ? words[$0] : String($0) }
            }
            let facts: [(String, String?)] = [
                (
                    "dateOfBirth",
                    profile.dateOfBirth.map {
                        LocalClock.dayText(number: CivilDate.dayNumber(year: $0.year, month: $0.month, day: $0.day))
                    }
                ), ("biologicalSex", word(profile.biologicalSex, ["notSet", "female", "male", "other"])),
                ("bloodType", word(profile.bloodType, ["notSet", "A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-"])),
                (
                    "fitzpatrickSkinType",
                    word(profile.fitzpatrickSkinType, ["notSet", "I", "II", "III", "IV", "V", "VI"])
                ), ("wheelchairUse", word(profile.wheelchairUse, ["notSet", "no", "yes"])),
                ("activityMoveMode", word(profile.activityMoveMode, ["0", "activeEnergy", "appleMoveTime"])),
                ("cardioFitnessMedicationsUse", profile.cardioFitnessMedicationsUse.map { String($0) }),
            ]
            return facts.compactMap { name, value in value.map { [.text(name), .text($0)] } }
        }
    }
}
