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
                .workoutRoutes,
                own: [
                    { SQLValue(try $1.reading.owners(of: $0.sequence).first?.sequence) },
                    { object, _ in
                        SQLValue(object.document?.series[RouteDocument.Column.timestamps.rawValue]?.count ?? 0)
                    },
                ], context, isWanted: isRoute),
            PartTable(.routePoints, context, isWanted: isRoute) { object, context in
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
                .ecgs,
                own: [
                    ofDocument { document in
                        guard case .integer(let value) = document[ElectrocardiogramDocument.classification] else {
                            return .null
                        }
                        return .text(classifications[Int(value)] ?? "unrecognized")
                    },
                    ofDocument { quantity($0[ElectrocardiogramDocument.averageHeartRate], "count/min") },
                    ofDocument { quantity($0[ElectrocardiogramDocument.samplingFrequency], "Hz") },
                    ofDocument { SQLValue($0.series[ElectrocardiogramDocument.times]?.count ?? 0) },
                ], context, isWanted: isWanted),
            PartTable(.ecgVoltages, context, isWanted: isWanted, parts: voltages),
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
            PartTable(.heartbeats, context, isWanted: { $0.identifier == Recorded.heartbeats }) { object, _ in
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
            PartTable(.audiogramPoints, context, isWanted: { $0.identifier == Recorded.audiogram }) { object, _ in
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

    /// The value of a column that is read in an object's document.
    static func ofDocument(_ value: @escaping (DocumentBody) -> SQLValue) -> ObjectTable.Value {
        { object, _ in object.document.map(value) ?? .null }
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
