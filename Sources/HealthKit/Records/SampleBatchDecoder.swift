import Foundation
import HealthEngine
import HealthModel

/// Columns → objects: the hot half of ``RecordDecoder``, a batch at a time.
final class SampleBatchDecoder {
    private enum Family {
        case cumulative
        case discrete
        case category
        case none
    }

    /// What a sample's context is made from, beside the type.
    private struct ContextKey: Hashable {
        var revision: UInt32
        var device: UInt32
        var metadata: UInt32
    }

    private let columns: SampleColumns
    private let decoder: RecordDecoder
    private let identities: DerivedIdentities
    private let type: HKSampleType?
    private let family: Family
    // Neighbouring samples mostly agree in source, device and metadata: the last context is tried first.
    private var lastKey = ContextKey(revision: .max, device: .max, metadata: .max)
    private var lastContext: ObjectContext?
    private var contexts: [ContextKey: ObjectContext] = [:]
    private var lastUnit: (number: UInt32, unit: HKUnit)

    init(_ columns: SampleColumns, decoder: RecordDecoder, identities: DerivedIdentities) {
        self.columns = columns
        self.decoder = decoder
        self.identities = identities
        type = decoder.type(columns.type)
        family =
            switch type {
            case let type as HKQuantityType:
                type.aggregationStyle == .cumulative ? .cumulative : .discrete
            case is HKCategoryType: .category
            default: .none
            }
        let first = columns.units.first ?? 0
        lastUnit = (first, decoder.unit(first))
    }

    /// The sample of one row; `nil` when the batch's type has no samples. Columns that were not
    /// asked for count as empty.
    func sample(at row: Int) -> HKSample? {
        guard let type else { return nil }
        let start = columns.starts[row]
        let end = row < columns.ends.count ? columns.ends[row] : start
        let value = row < columns.values.count ? columns.values[row] : 0
        let identity = columns.uuid(at: row) ?? identities.uuid(for: columns.sequences[row])
        let context = context(at: row, type: type)
        switch family {
        case .cumulative:
            return HKCumulativeQuantitySample(
                identity: identity, context: context, start: start, end: end, unit: unit(at: row),
                value: value)
        case .discrete:
            return HKDiscreteQuantitySample(
                identity: identity, context: context, start: start, end: end, unit: unit(at: row),
                value: value)
        case .category:
            return HKCategorySample(
                identity: identity, context: context, start: start, end: end,
                value: Int(exactly: value) ?? 0)
        case .none:
            return nil
        }
    }

    private func unit(at row: Int) -> HKUnit {
        let number = row < columns.units.count ? columns.units[row] : 0
        if number != lastUnit.number { lastUnit = (number, decoder.unit(number)) }
        return lastUnit.unit
    }

    private func context(at row: Int, type: HKSampleType) -> ObjectContext {
        let key = ContextKey(
            revision: row < columns.revisions.count ? columns.revisions[row] : 0,
            device: row < columns.devices.count ? columns.devices[row] : 0,
            metadata: row < columns.metadata.count ? columns.metadata[row] : 0)
        if key == lastKey, let lastContext { return lastContext }
        let context = contexts[key] ?? newContext(key, at: row, type: type)
        lastKey = key
        lastContext = context
        return context
    }

    private func newContext(_ key: ContextKey, at row: Int, type: HKSampleType) -> ObjectContext {
        let context = ObjectContext(
            type: type, revision: decoder.revision(key.revision), device: decoder.device(key.device),
            metadata: columns.metadata(at: row))
        contexts[key] = context
        return context
    }
}
