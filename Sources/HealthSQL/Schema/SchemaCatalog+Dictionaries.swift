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
        ListTable(.types) {
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
        ListTable(.sources) {
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
        ListTable(.sourceRevisions) {
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
        ListTable(.devices) {
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
        ListTable(.characteristics) {
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
