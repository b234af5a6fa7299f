public import Foundation

/// Reads the voltages of one electrocardiogram.
///
/// The handler is called once for each measurement, in order of time, and once at the end.
// Unchecked: every stored property is constant.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
    /// What the handler is told.
    public enum Result {
        /// The next measurement.
        case measurement(HKElectrocardiogram.VoltageMeasurement)
        /// There are no more.
        case done
        /// The measurements cannot be read; nothing follows.
        case error(any Error)
    }

    private let electrocardiogram: HKElectrocardiogram
    private let dataHandler: @Sendable (HKElectrocardiogramQuery, Result) -> Void

    /// Reads the voltages; `done` is told with the last call, which has no measurement.
    @preconcurrency
    public init(
        electrocardiogram: HKElectrocardiogram,
        dataHandler: @escaping @Sendable (
            HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?
        ) -> Void
    ) {
        self.electrocardiogram = electrocardiogram
        self.dataHandler = { query, result in
            switch result {
            case .measurement(let measurement): dataHandler(query, measurement, false, nil)
            case .done: dataHandler(query, nil, true, nil)
            case .error(let error): dataHandler(query, nil, true, error)
            }
        }
        super.init(
            objectType: .electrocardiogramType(),
            predicate: HKQuery.predicateForObject(with: electrocardiogram.uuid))
    }

    private init(
        reading electrocardiogram: HKElectrocardiogram,
        dataHandler: @escaping @Sendable (HKElectrocardiogramQuery, Result) -> Void
    ) {
        self.electrocardiogram = electrocardiogram
        self.dataHandler = dataHandler
        super.init(
            objectType: .electrocardiogramType(),
            predicate: HKQuery.predicateForObject(with: electrocardiogram.uuid))
    }

    /// Reads the voltages.
    @preconcurrency
    public convenience init(
        _ ecg: HKElectrocardiogram,
        dataHandler: @escaping @Sendable (HKElectrocardiogramQuery, HKElectrocardiogramQuery.Result) -> Void
    ) {
        self.init(reading: ecg, dataHandler: dataHandler)
    }

    override func makeWork() throws -> QueryWork {
        QueryWork(
            start: { run in
                let stored = try run.connection.reader().stored(self.electrocardiogram)
                for measurement in stored.measurements {
                    guard run.isActive else { return }
                    run.deliver { self.dataHandler(self, .measurement(measurement)) }
                }
                run.deliver { self.dataHandler(self, .done) }
            },
            fail: { self.dataHandler(self, .error(HKError.make($0))) })
    }
}
