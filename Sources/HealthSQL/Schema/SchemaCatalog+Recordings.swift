import HealthEngine
import HealthModel
import HealthStorage

/// The type identifiers of recordings.
private enum Recorded {
    static let route = "HKWorkoutRouteTypeIdentifier"
    static let electrocardiogram = "HKDataTypeIdentifierElectrocardiogram"
    static let heartbeats = "HKDataTypeIdentifierHeartbeatSeries"
    static let audiogram = "HKDataTypeIdentifierAudiogram"
    /// A route's columns, in the order of `route_points`.
    static let points: [RouteDocument.Column] = [
        .timestamps, .latitudes, .longitudes, .altitudes, .speeds, .courses, .horizontalAccuracies, .verticalAccuracies,
    ]
}

extension SchemaCatalog {
    /// Objects with long series: routes, electrocardiograms, heartbeats, and audiograms.
    static func recordings(_ context: TableContext) -> [VirtualTable] {
        routes(context) + electrocardiograms(context) + heartbeats(context) + audiograms(context)
    }

    private static func routes(_ context: TableContext) -> [VirtualTable] {
        let isRoute: (TypeDescription) -> Bool = { $0.identifier == Recorded.route }
        return [
            ObjectTable(
                "workout_routes", about: "The routes of workouts.",
                own: [
                    ObjectTable.Own(column: SQLColumn("workout", .integer, "the workout’s sequence number")) {
                        object, context in
                        let owners = try context.reading.owners(of: object.sequence)
                        return SQLValue(owners.first?.sequence)
                    },
                    ObjectTable.Own(column: SQLColumn("points", .integer, "number of points")) { object, _ in
                        SQLValue(object.document?.series[RouteDocument.Column.timestamps.rawValue]?.count ?? 0)
                    },
                ], context, isWanted: isRoute),
            PartTable(
                "route_points", about: "The points of routes, in order of time.",
                of: SQLColumn("route", .integer, "the route’s sequence number"),
                own: [
                    SQLColumn("date", .instant, "instant as ISO 8601"), SQLColumn("latitude", .real, "degrees"),
                    SQLColumn("longitude", .real, "degrees"), SQLColumn("altitude", .real, "meters"),
                    SQLColumn("speed", .real, "meters per second; negative if unknown"),
                    SQLColumn("course", .real, "degrees from north; negative if unknown"),
                    SQLColumn("horizontal_accuracy", .real, "meters"), SQLColumn("vertical_accuracy", .real, "meters"),
                    SQLColumn("time", .real, "instant in seconds since 1970-01-01 UTC"),
                ], context, isWanted: isRoute
            ) { object, context in
                guard let series = object.document?.series else { return .none }
                let columns = Recorded.points.map { series[$0.rawValue] ?? [] }
                return PartTable.Parts(count: columns[0].count) { column, row in
                    if column == 0 { return .text(context.clock.text(columns[0][row])) }
                    if column == 8 { return .real(columns[0][row] + unixToReference) }
                    return row < columns[column].count ? .real(columns[column][row]) : .null
                }
            },
        ]
    }

    private static func electrocardiograms(_ context: TableContext) -> [VirtualTable] {
        let isWanted: (TypeDescription) -> Bool = { $0.identifier == Recorded.electrocardiogram }
        return [
            ObjectTable(
                "ecgs", about: "Electrocardiograms.",
                own: [
                    own("classification", .text, "what it was found to be") { document in
                        guard case .integer(let value) = document[ElectrocardiogramDocument.classification] else {
                            return .null
                        }
                        return .text(classifications[Int(value)] ?? "unrecognized")
                    },
                    own("average_heart_rate", .real, "beats a minute") {
                        quantity($0[ElectrocardiogramDocument.averageHeartRate], "count/min")
                    },
                    own("sampling_frequency", .real, "hertz") {
                        quantity($0[ElectrocardiogramDocument.samplingFrequency], "Hz")
                    },
                    own("voltages", .integer, "how many measurements there are") {
                        SQLValue($0.series[ElectrocardiogramDocument.times]?.count ?? 0)
                    },
                ], context, isWanted: isWanted),
            PartTable(
                "ecg_voltages", about: "The voltages of electrocardiograms.",
                of: SQLColumn("ecg", .integer, "the electrocardiogram’s sequence number"),
                own: [
                    SQLColumn("lead", .integer, "HealthKit’s lead number; 1 is similar to lead I"),
                    SQLColumn("offset", .real, "seconds since the start"),
                    SQLColumn("microvolts", .real, "the voltage"),
                ], context, isWanted: isWanted, parts: voltages),
        ]
    }

    private static let classifications = [
        0: "notSet", 1: "sinusRhythm", 2: "atrialFibrillation", 3: "inconclusiveLowHeartRate",
        4: "inconclusiveHighHeartRate", 5: "inconclusivePoorReading", 6: "inconclusiveOther", 100: "unrecognized",
    ]

    private static func voltages(_ object: ObjectRecord, _ context: TableContext) -> PartTable.Parts {
        guard let series = object.document?.series, let times = series[ElectrocardiogramDocument.times], !times.isEmpty
        else { return .none }
        let columns = ElectrocardiogramDocument.leads(in: series)
        return PartTable.Parts(count: columns.count * times.count) { column, row in
            let (lead, index) = (columns[row / times.count], row % times.count)
            switch column {
            case 0: return SQLValue(lead.lead)
            case 1: return .real(times[index])
            default:
                guard index < lead.volts.count, lead.volts[index].isFinite else { return .null }
                return .real(lead.volts[index] * 1e6)
            }
        }
    }

    private static func heartbeats(_ context: TableContext) -> [VirtualTable] {
        [
            PartTable(
                "heartbeats", about: "The beats of heartbeat series.",
                of: SQLColumn("series", .integer, "the series’ sequence number in objects"),
                own: [
                    SQLColumn("offset", .real, "seconds since the start"),
                    SQLColumn("time", .real, "instant in seconds since 1970-01-01 UTC"),
                    SQLColumn("preceded_by_gap", .integer, "1 if beats are missing before this one"),
                    SQLColumn("beats_per_minute", .real, "heart rate at this beat, if the archive contains it"),
                ], context, isWanted: { $0.identifier == Recorded.heartbeats }
            ) { object, _ in
                let offsets = object.document?.series[HeartbeatSeriesDocument.offsets] ?? []
                let gaps = object.document?.series[HeartbeatSeriesDocument.gaps] ?? []
                let rates = object.document?.series[HeartbeatSeriesDocument.rates] ?? []
                return PartTable.Parts(count: offsets.count) { column, row in
                    switch column {
                    case 0: .real(offsets[row])
                    case 1: .real(object.start + offsets[row] + unixToReference)
                    case 2: .integer(row < gaps.count && gaps[row] != 0 ? 1 : 0)
                    default: row < rates.count ? .real(rates[row]) : .null
                    }
                }
            }
        ]
    }

    private static func audiograms(_ context: TableContext) -> [VirtualTable] {
        [
            PartTable(
                "audiogram_points", about: "The points of audiograms, by frequency and ear.",
                of: SQLColumn("audiogram", .integer, "the audiogram’s sequence number in objects"),
                own: [
                    SQLColumn("frequency_hz", .real, "hertz"), SQLColumn("ear", .text, "left or right"),
                    SQLColumn("sensitivity", .real, "the faintest tone heard"), SQLColumn("unit", .text, "its unit"),
                    SQLColumn("masked", .integer, "1 if the other ear was masked"),
                ], context, isWanted: { $0.identifier == Recorded.audiogram }
            ) { object, _ in
                var rows: [[SQLValue]] = []
                for point in object.document?[AudiogramDocument.points]?.elements ?? [] {
                    guard case .record(let fields) = point else { continue }
                    for test in fields[AudiogramDocument.Point.tests]?.elements ?? [] {
                        guard case .record(let test) = test,
                            case .quantity(let found) = test[AudiogramDocument.Test.sensitivity]
                        else { continue }
                        rows.append([
                            quantity(fields[AudiogramDocument.Point.frequency], "Hz"),
                            .text(
                                test[AudiogramDocument.Test.side] == .integer(AudiogramDocument.right)
                                    ? "right" : "left"),
                            .real(found.value), .text(found.unit),
                            .integer(test[AudiogramDocument.Test.masked]?.number == 1 ? 1 : 0),
                        ])
                    }
                }
                return PartTable.Parts(count: rows.count) { column, row in rows[row][column] }
            }
        ]
    }

    static func own(
        _ name: String, _ kind: SQLColumn.Kind, _ about: String, _ value: @escaping (DocumentBody) -> SQLValue
    ) -> ObjectTable.Own {
        ObjectTable.Own(column: SQLColumn(name, kind, about)) { object, _ in object.document.map(value) ?? .null }
    }

    private static func quantity(_ field: FieldValue?, _ unit: String) -> SQLValue {
        guard case .quantity(let found) = field else { return .null }
        return SQLValue(found.value(in: unit))
    }
}

extension ObjectRecord {
    /// The document of an object.
    var document: DocumentBody? {
        if case .document(let document) = body { document } else { nil }
    }
}
