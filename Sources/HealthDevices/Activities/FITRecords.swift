import HealthFiles
import HealthModel

/// The records of a device at moments of an activity, as columns.
struct FITRecords {
    /// When each record was made, in order.
    let dates: [Double]
    /// The values of fields by number, NaN in records without one.
    private let columns: [[Double]]
    /// Places in degrees, NaN in records without one.
    private let latitudes: [Double]
    private let longitudes: [Double]
    /// Heart rates that a sensor stored and a device read later, for sessions whose records have none.
    private let stored: [(date: Double, rate: Double)]
    private let samples: SampleOrigin
    /// The number of values without a type in HealthKit, by name.
    let leftOut: [String: Int]

    init(_ messages: FITMessages, _ origin: FITOrigin, _ samples: SampleOrigin) {
        self.samples = samples
        let all = messages[FITMessageNumber.record]
        let dated = all.indices.compactMap { index in origin.date(all[index]).map { (date: $0, index: index) } }
        // Equal times keep their order.
        let records = dated.sorted { ($0.date, $0.index) < ($1.date, $1.index) }
        var columns = [[Double]](repeating: [], count: 256)
        var unknown = [Int](repeating: 0, count: 256)
        var leftOut: [String: Int] = [:]
        for (row, record) in records.enumerated() {
            let message = all[record.index]
            for field in message.fields {
                let number = Int(field.number)
                guard Self.isKnown[number] else {
                    unknown[number] += 1
                    continue
                }
                guard let value = message.number(of: field) else { continue }
                if columns[number].isEmpty { columns[number] = [Double](repeating: .nan, count: records.count) }
                if columns[number][row].isNaN { columns[number][row] = value }
            }
            for field in message.developerFields { leftOut["developer field \(field.name)", default: 0] += 1 }
        }
        for (number, count) in unknown.enumerated() where count > 0 {
            guard let name = all[0].profile?[UInt8(number)]?.name else { continue }
            leftOut["\(name) of record", default: 0] += count
        }
        if all.count > records.count { leftOut["record without a time"] = all.count - records.count }
        self.leftOut = leftOut
        self.columns = columns
        dates = records.map(\.date)
        (latitudes, longitudes) = Self.places(
            columns[Int(FITField.Record.positionLat)], columns[Int(FITField.Record.positionLong)])
        stored = Self.storedRates(messages, origin)
    }

    /// By number, whether a field is ``known``.
    private static let isKnown: [Bool] = (0...UInt8.max).map(known.contains)

    /// The values of a field; of the next of several in records without one of those before. Empty for none at all.
    private func column(_ fields: UInt8...) -> [Double] {
        fields.reduce([]) { column, field in
            let next = columns[Int(field)]
            if column.isEmpty || next.isEmpty { return column.isEmpty ? next : column }
            return zip(column, next).map { $0.isNaN ? $1 : $0 }
        }
    }

    /// The records of a session.
    private func rows(of session: FITSession) -> Range<Int> {
        let first = dates.lowerBound(of: session.start)
        return first..<max(first, dates.partitionPoint { $0 <= session.end })
    }

    /// The number of records, and of heart rates that a sensor stored, that belong to no session.
    func count(outside sessions: [FITSession]) -> Int {
        dates.count { date in !sessions.contains { $0.contains(date) } }
            + stored.count { rate in !sessions.contains { $0.contains(rate.date) } }
    }

    // MARK: - Samples

    /// The distances that the records have, whatever the sport.
    func distances(of sessions: [FITSession]) -> FITDistances {
        FITDistances(dates, column(FITField.Record.distance), of: sessions)
    }

    /// Adds the samples of a session. What HealthKit has no type for with its sport is counted.
    ///
    /// - Parameter distances: `nil` where something else has them in more detail.
    func addSamples(
        of session: FITSession, _ events: FITEvents, _ distances: FITDistances?,
        to series: inout [TypeCode: SampleSeries], leftOut: inout [String: Int]
    ) {
        typealias Names = FITField.Record
        let rows = rows(of: session)
        func add(
            _ type: MeasuredType?, _ column: [Double], _ name: String = "", isPositive: Bool = false, scale: Double = 1
        ) {
            let present = column.isEmpty ? [] : rows.filter { isPositive ? column[$0] > 0 : !column[$0].isNaN }
            guard !present.isEmpty else { return }
            guard let type else {
                leftOut["\(name) in a sport without a type for it", default: 0] += present.count
                return
            }
            var own = series.removeValue(forKey: type.code) ?? SampleSeries(type, samples)
            let isWhole = present.count == dates.count
            own.append(
                isWhole && scale == 1 ? column : present.map { column[$0] / scale },
                at: isWhole ? dates : present.map { dates[$0] })
            series[type.code] = own
        }
        let rates = series[MeasuredType.heartRate.code]?.count ?? 0
        add(.heartRate, column(Names.heartRate), isPositive: true)
        if series[MeasuredType.heartRate.code]?.count ?? 0 == rates {
            for rate in stored where session.contains(rate.date) {
                series[MeasuredType.heartRate.code, default: SampleSeries(.heartRate, samples)]
                    .append(rate.rate, rate.date, rate.date)
            }
        }
        let sport = session.sport.activity
        add(MeasuredType.speed(of: sport), column(Names.enhancedSpeed, Names.speed), "speed")
        let power = column(Names.power)
        // A sensor that wasn't there has only zeros; while a rider coasts, those of power count, and those of cadence don't.
        if power.isEmpty || rows.contains(where: { power[$0] > 0 }) { add(session.power, power, "power") }
        add(.respiratoryRate, column(Names.enhancedRespirationRate), isPositive: true)
        add(session.isCycling ? .cyclingCadence : nil, cadences, "cadence", isPositive: true)
        // A sensor writes zeros while the runner stands.
        let isRun = session.isRunning
        add(isRun ? .strideLength : nil, column(Names.stepLength), "step length", isPositive: true, scale: 1_000)
        add(isRun ? .groundContact : nil, column(Names.stanceTime), "stance time", isPositive: true)
        let oscillation = column(Names.verticalOscillation)
        add(isRun ? .oscillation : nil, oscillation, "vertical oscillation", isPositive: true, scale: 10)
        add(sport == 84 ? .depth : nil, column(Names.depth), "depth")
        guard let distances else { return }
        if let distance = MeasuredType.distance(of: sport) {
            var own = series.removeValue(forKey: distance.code) ?? SampleSeries(distance, samples)
            distances.add(of: session, events, to: &own)
            if own.count > 0 { series[distance.code] = own }
        } else {
            add(nil, column(Names.distance), "distance", isPositive: true)
        }
    }

    private var cadences: [Double] {
        let (whole, parts) = (column(FITField.Record.cadence), column(FITField.Record.fractionalCadence))
        let sum = parts.isEmpty ? whole : zip(whole, parts).map { $1.isNaN ? $0 : $0 + $1 }
        let fine = column(FITField.Record.cadence256)
        guard !fine.isEmpty, !sum.isEmpty else { return fine.isEmpty ? sum : fine }
        return zip(fine, sum).map { $0.isNaN ? $1 : $0 }
    }

    /// The rates that a sensor stored: a first message has the date of a moment of its clock, the others only its clock.
    private static func storedRates(_ messages: FITMessages, _ origin: FITOrigin) -> [(date: Double, rate: Double)] {
        typealias Names = FITField.Hr
        /// The seconds after which the sensor's clock starts again.
        let turn = Double(1 << 22)
        var anchor: (date: Double, clock: Double)?
        var rates: [(date: Double, rate: Double)] = []
        for message in messages[FITMessageNumber.hr] {
            let clocks = message.numbers(Names.eventTimestamp)
            if let date = origin.date(message), let clock = clocks.first {
                anchor = (date + (message.number(Names.fractionalTimestamp) ?? 0), clock)
            }
            guard let anchor else { continue }
            for (clock, rate) in zip(clocks, message.numbers(Names.filteredBpm)) where rate > 0 && clock.isFinite {
                let passed = clock - anchor.clock
                let date = anchor.date + (passed < -turn / 2 ? passed + turn : passed)
                // The last message is filled up with its last beat.
                if rates.last?.date != date { rates.append((date, rate)) }
            }
        }
        return rates
    }

    // MARK: - Route

    /// The numbers of the records of a session that have a place.
    func points(in session: FITSession) -> [Int] {
        latitudes.isEmpty ? [] : rows(of: session).filter { !latitudes[$0].isNaN }
    }

    /// `nil` for less than two points.
    func route(of points: [Int]) -> ObjectRecord? {
        typealias Names = FITField.Record
        func values(_ column: [Double], none: Double) -> [Double] {
            points.map { column.isEmpty || column[$0].isNaN ? none : column[$0] }
        }
        let altitudes = column(Names.enhancedAltitude, Names.altitude)
        return samples.route([
            .timestamps: values(dates, none: 0), .latitudes: values(latitudes, none: 0),
            .longitudes: values(longitudes, none: 0), .altitudes: values(altitudes, none: 0),
            .horizontalAccuracies: values(column(Names.gpsAccuracy), none: 0),
            .verticalAccuracies: points.map { altitudes.isEmpty || altitudes[$0].isNaN ? -1 : 0 },
            .speeds: values(column(Names.enhancedSpeed, Names.speed), none: -1),
        ])
    }

    /// Places in degrees, which are stored as 2³¹ parts of 180. Programs write zeros for none.
    private static func places(
        _ latitudes: [Double], _ longitudes: [Double]
    ) -> (latitudes: [Double], longitudes: [Double]) {
        var places = (latitudes: latitudes, longitudes: longitudes)
        guard !latitudes.isEmpty, !longitudes.isEmpty else { return ([], []) }
        for row in latitudes.indices {
            let (latitude, longitude) = (latitudes[row] * 180 / 0x1p31, longitudes[row] * 180 / 0x1p31)
            let isPlace = (latitude != 0 || longitude != 0) && abs(latitude) <= 90 && abs(longitude) <= 180
            places.latitudes[row] = isPlace ? latitude : .nan
            places.longitudes[row] = isPlace ? longitude : .nan
        }
        return places
    }
}
