import HealthModel

/// What a device recorded at moments of an activity.
struct FITRecords {
    /// What can be left out, because something else has it in more detail.
    enum Kind { case distance }

    private struct Record {
        var date: Double
        var message: FITMessage
    }

    private let records: [Record]
    /// Heart rates that a sensor stored and a device read later, for sessions whose records have none.
    private let stored: [(date: Double, rate: Double)]
    private let samples: DeviceSamples
    /// The number of values without a type in HealthKit, by name.
    let leftOut: [String: Int]

    init(_ messages: [FITMessage], _ origin: FITOrigin, _ samples: DeviceSamples) {
        self.samples = samples
        var records: [Record] = []
        var leftOut: [String: Int] = [:]
        for message in messages where message.number == FITMessageNumber.record {
            guard let date = origin.date(message) else {
                leftOut["record without a time", default: 0] += 1
                continue
            }
            records.append(Record(date: date, message: message))
            for field in message.fields where !Self.isKnown[Int(field.number)] {
                if let name = message.profile?[field.number]?.name { leftOut["\(name) of record", default: 0] += 1 }
            }
            for field in message.developerFields { leftOut["developer field \(field.name)", default: 0] += 1 }
        }
        // Equal times keep their order.
        self.records = records.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element)
        self.leftOut = leftOut
        stored = Self.storedRates(messages, origin)
    }

    /// The number of records within which a distance that became less is reached again, if the device didn't start again.
    private static let lateRecords = 5

    /// By number, whether a field is read or is the same as one that is, in another form.
    private static let isKnown: [Bool] = {
        let known: Set<UInt8> = [
            FITField.timestamp, FITField.Record.positionLat, FITField.Record.positionLong, FITField.Record.altitude,
            FITField.Record.enhancedAltitude, FITField.Record.heartRate, FITField.Record.cadence,
            FITField.Record.fractionalCadence, FITField.Record.distance, FITField.Record.speed,
            FITField.Record.enhancedSpeed, FITField.Record.power, FITField.Record.compressedSpeedDistance,
            FITField.Record.gpsAccuracy, FITField.Record.verticalOscillation, FITField.Record.stanceTime,
            FITField.Record.stepLength, FITField.Record.respirationRate, FITField.Record.enhancedRespirationRate,
            FITField.Record.depth, FITField.Record.activityType, FITField.Record.cadence256,
        ]
        return (0...UInt8.max).map(known.contains)
    }()

    /// The number of records, and of heart rates that a sensor stored, that belong to no session.
    func count(outside sessions: [FITSession]) -> Int {
        records.count { record in !sessions.contains { $0.contains(record.date) } }
            + stored.count { rate in !sessions.contains { $0.contains(rate.date) } }
    }

    // MARK: - Samples

    /// Adds the samples of a session. What HealthKit has no type for with its sport is counted.
    func addSamples(
        of session: FITSession, _ events: FITEvents, without left: Set<Kind>,
        to series: inout [TypeCode: DeviceSeries], leftOut: inout [String: Int]
    ) {
        typealias Names = FITField.Record
        let distance = left.contains(.distance) ? nil : DeviceType.distance(of: session.sport.activity)
        let isUntyped = distance == nil && !left.contains(.distance)
        let speed = DeviceType.speed(of: session.sport.activity)
        func append(_ type: DeviceType, _ value: Double, _ start: Double, _ end: Double) {
            series[type.code, default: DeviceSeries(type, samples)].append(value, start, end)
        }
        let rates = series[DeviceType.heartRate.code]?.count ?? 0
        // With another sport, most devices count from 0 again, and some continue.
        var before = (date: session.start, distance: distance == nil ? 0 : total(before: session.start))
        for (place, record) in records.enumerated() where session.contains(record.date) {
            let (date, message) = (record.date, record.message)
            func add(_ type: DeviceType?, _ value: Double?, _ name: String = "") {
                guard let value else { return }
                if let type {
                    append(type, value, date, date)
                } else {
                    leftOut["\(name) in a sport without a type for it", default: 0] += 1
                }
            }
            add(.heartRate, message.number(Names.heartRate).flatMap { $0 > 0 ? $0 : nil })
            add(speed, message.number(Names.enhancedSpeed) ?? message.number(Names.speed), "speed")
            add(session.power, message.number(Names.power), "power")
            add(.respiratoryRate, (message.number(Names.enhancedRespirationRate)).flatMap { $0 > 0 ? $0 : nil })
            add(session.isCycling ? .cyclingCadence : nil, Self.cadence(message), "cadence")
            let isRun = session.isRunning
            // A sensor writes zeros while the runner stands.
            func stride(_ field: UInt8) -> Double? { message.number(field).flatMap { $0 > 0 ? $0 : nil } }
            add(isRun ? .strideLength : nil, stride(Names.stepLength).map { $0 / 1_000 }, "step length")
            add(isRun ? .groundContact : nil, stride(Names.stanceTime), "stance time")
            add(
                isRun ? .oscillation : nil, stride(Names.verticalOscillation).map { $0 / 10 }, "vertical oscillation")
            add(session.sport.activity == 84 ? .depth : nil, message.number(Names.depth), "depth")
            if isUntyped { add(nil, message.number(Names.distance).flatMap { $0 > 0 ? $0 : nil }, "distance") }
            guard let distance, let total = message.number(Names.distance) else { continue }
            if total < before.distance, before.date == session.start { before.distance = 0 }
            if total > before.distance, date > before.date {
                let start = events.resumption(after: before.date, upTo: date.nextDown) ?? before.date
                append(distance, total - before.distance, start, date)
                before = (date, total)
            } else if total < before.distance, !isExceeded(before.distance, after: place) {
                // The device started again, as it does with another sport.
                before = (date, total)
            } else if total == before.distance {
                before.date = max(before.date, date)
            }
        }
        if series[DeviceType.heartRate.code]?.count ?? 0 == rates {
            for rate in stored where session.contains(rate.date) { append(.heartRate, rate.rate, rate.date, rate.date) }
        }
    }

    /// Whether one of the next records reaches a distance again: the one before it was late, as where a program has
    /// mixed up its records.
    private func isExceeded(_ distance: Double, after place: Int) -> Bool {
        records[(place + 1)...].prefix(Self.lateRecords).contains {
            $0.message.number(FITField.Record.distance).map { $0 >= distance } ?? false
        }
    }

    /// The distance of the records of a session, whatever its sport.
    func distance(of session: FITSession) -> Double? {
        let last = records.last { session.contains($0.date) && $0.message[FITField.Record.distance] != nil }
        guard let total = last?.message.number(FITField.Record.distance), total > 0 else { return nil }
        let before = self.total(before: session.start)
        return total > before ? total - before : total
    }

    /// The distance that was reached before a date.
    private func total(before date: Double) -> Double {
        records.last { $0.date < date && $0.message[FITField.Record.distance] != nil }?
            .message.number(FITField.Record.distance) ?? 0
    }

    private static func cadence(_ message: FITMessage) -> Double? {
        if let fine = message.number(FITField.Record.cadence256) { return fine }
        guard let whole = message.number(FITField.Record.cadence) else { return nil }
        return whole + (message.number(FITField.Record.fractionalCadence) ?? 0)
    }

    /// The rates that a sensor stored: a first message has the date of a moment of its clock, the others only its clock.
    private static func storedRates(_ messages: [FITMessage], _ origin: FITOrigin) -> [(date: Double, rate: Double)] {
        typealias Names = FITField.Hr
        /// The seconds after which the sensor's clock starts again.
        let turn = Double(1 << 22)
        var anchor: (date: Double, clock: Double)?
        var rates: [(date: Double, rate: Double)] = []
        for message in messages where message.number == FITMessageNumber.hr {
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
        records.indices.filter { session.contains(records[$0].date) && Self.place(records[$0].message) != nil }
    }

    /// The columns of a ``RouteDocument``; `nil` for less than two points.
    func route(of points: [Int]) -> [String: [Double]]? {
        typealias Names = FITField.Record
        let located = points.compactMap { point in
            Self.place(records[point].message).map { (record: records[point], place: $0) }
        }
        guard located.count > 1 else { return nil }
        func column(_ value: (FITMessage) -> Double?, none: Double) -> [Double] {
            located.map { value($0.record.message) ?? none }
        }
        func altitude(_ message: FITMessage) -> Double? {
            message.number(Names.enhancedAltitude) ?? message.number(Names.altitude)
        }
        let unknown = [Double](repeating: -1, count: located.count)
        let columns: [RouteDocument.Column: [Double]] = [
            .timestamps: located.map(\.record.date), .latitudes: located.map(\.place.latitude),
            .longitudes: located.map(\.place.longitude), .altitudes: column(altitude, none: 0),
            .horizontalAccuracies: column({ $0.number(Names.gpsAccuracy) }, none: 0),
            .verticalAccuracies: column({ altitude($0).map { _ in 0 } }, none: -1), .courses: unknown,
            .courseAccuracies: unknown,
            .speeds: column({ $0.number(Names.enhancedSpeed) ?? $0.number(Names.speed) }, none: -1),
            .speedAccuracies: unknown,
        ]
        return Dictionary(uniqueKeysWithValues: columns.map { ($0.rawValue, $1) })
    }

    /// A place in degrees, which are stored as 2³¹ parts of 180. Programs write zeros for none.
    private static func place(_ message: FITMessage) -> (latitude: Double, longitude: Double)? {
        guard let latitude = message.integer(FITField.Record.positionLat),
            let longitude = message.integer(FITField.Record.positionLong), latitude != 0 || longitude != 0
        else { return nil }
        let place = (Double(latitude) * 180 / 0x1p31, Double(longitude) * 180 / 0x1p31)
        return abs(place.0) <= 90 && abs(place.1) <= 180 ? place : nil
    }
}
