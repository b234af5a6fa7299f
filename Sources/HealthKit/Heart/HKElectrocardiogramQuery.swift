public import Foundation
import HealthModel

/// A query that reads the voltages of one electrocardiogram.
///
/// The handler is called once for each measurement, in order of time, and once at the end.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
    /// A result passed to the handler.
    public enum Result {
        /// The next measurement.
        case measurement(HKElectrocardiogram.VoltageMeasurement)
        /// The end of the measurements.
        case done
        /// The measurements cannot be read. This is the last result.
        case error(any Error)
    }

    private let electrocardiogram: HKElectrocardiogram
    private let dataHandler: @Sendable (HKElectrocardiogramQuery, Result) -> Void

    /// Creates a query for the voltages. The last call of the handler has no measurement and `done` set to `true`.
    @preconcurrency
    public init(
        electrocardiogram: HKElectrocardiogram,
        dataHandler:
            @escaping @Sendable (
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
            objectType: .electrocardiogramType(), predicate: HKQuery.predicateForObject(with: electrocardiogram.uuid))
    }

    /// Creates a query for the voltages.
    @preconcurrency
    public init(
        _ ecg: HKElectrocardiogram,
        dataHandler: @escaping @Sendable (HKElectrocardiogramQuery, HKElectrocardiogramQuery.Result) -> Void
    ) {
        electrocardiogram = ecg
        self.dataHandler = dataHandler
        super.init(objectType: .electrocardiogramType(), predicate: HKQuery.predicateForObject(with: ecg.uuid))
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

/// A query that reads the voltages of one electrocardiogram as an asynchronous sequence.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results

    /// The electrocardiogram whose voltages are read.
    public var electrocardiogram: HKElectrocardiogram

    /// Creates a query for the voltages of a stored electrocardiogram.
    public init(_ electrocardiogram: HKElectrocardiogram) {
        self.electrocardiogram = electrocardiogram
    }

    /// The measurements in order of time.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, electrocardiogram: electrocardiogram)
    }

    /// The measurements in order of time. Iterating throws if the electrocardiogram is not stored.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = HKElectrocardiogram.VoltageMeasurement
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let electrocardiogram: HKElectrocardiogram

        public func makeAsyncIterator() -> Iterator {
            let electrocardiogram = electrocardiogram
            return Iterator(reading: SeriesReading(connection) { try $0.stored(electrocardiogram).measurements })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            var reading: SeriesReading<HKElectrocardiogram.VoltageMeasurement>

            /// The next measurement; `nil` after the last.
            public mutating func next() async throws -> Results.Element? {
                try await reading.nextElement()
            }
        }
    }
}

extension HKQuery {
    /// Matches electrocardiograms of one classification.
    public class func predicateForElectrocardiograms(
        classification: HKElectrocardiogram.Classification
    ) -> NSPredicate {
        predicate(
            .field(HKElectrocardiogram.Field.classification, .equal, .integer(Int64(classification.rawValue))),
            printed: "\(HKPredicateKeyPathECGClassification) == \(classification.rawValue)")
    }

    /// Matches electrocardiograms by their symptoms status.
    public class func predicateForElectrocardiograms(
        symptomsStatus: HKElectrocardiogram.SymptomsStatus
    ) -> NSPredicate {
        predicate(
            .field(HKElectrocardiogram.Field.symptomsStatus, .equal, .integer(Int64(symptomsStatus.rawValue))),
            printed: "\(HKPredicateKeyPathECGSymptomsStatus) == \(symptomsStatus.rawValue)")
    }

    /// Matches symptoms associated with the electrocardiogram.
    public class func predicateForObjectsAssociated(electrocardiogram: HKElectrocardiogram) -> NSPredicate {
        predicate(.memberOf(electrocardiogram.uuid), printed: "electrocardiogram == electrocardiogram")
    }
}

extension HKSamplePredicate {
    /// A predicate for electrocardiograms.
    public static func electrocardiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKElectrocardiogram> {
        HKSamplePredicate<HKElectrocardiogram>(type: .electrocardiogramType(), predicate: predicate)
    }
}
