/// Reads the voltages of one electrocardiogram, for as long as they are iterated.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results

    /// Whose voltages are read.
    public var electrocardiogram: HKElectrocardiogram

    /// Asks for the voltages of a stored electrocardiogram.
    public init(_ electrocardiogram: HKElectrocardiogram) {
        self.electrocardiogram = electrocardiogram
    }

    /// The measurements in order of time.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, electrocardiogram: electrocardiogram)
    }

    /// Measurements in order of time. Iterating throws where the electrocardiogram is not stored.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = HKElectrocardiogram.VoltageMeasurement
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let electrocardiogram: HKElectrocardiogram

        public func makeAsyncIterator() -> Iterator {
            let electrocardiogram = electrocardiogram
            return Iterator(
                reading: SeriesReading(connection) { try $0.stored(electrocardiogram).measurements })
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
