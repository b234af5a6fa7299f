import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthSync

/// Converts a batch to what the engine receives. The counterpart, on the device, is HealthSync's reader of samples.
struct SyncBatchReader {
    /// Samples that can't be converted, with reasons.
    private(set) var rejected: [UUID: String] = [:]

    private var revisions: [RevisionKey: SourceRevisionRecord] = [:]
    private var devices: [SyncDeviceDetails: DeviceRecord] = [:]

    private struct RevisionKey: Hashable {
        var source: String
        var bundleIdentifier: String
        var version: String?
        var productType: String?
        var system: String?
    }

    /// The contents of a batch.
    ///
    /// - Throws: ``Problem`` `invalidBody` for an activity summary without a valid date. It has no UUID by which it
    ///   could be rejected, and a device doesn't send again what was acknowledged.
    mutating func changes(in batch: SyncBatch) throws -> ReceivedChanges {
        var changes = ReceivedChanges(deletions: batch.deletedObjects)
        for sample in batch.samples {
            do {
                try add(sample, to: &changes)
            } catch let error as SyncSampleError {
                rejected[sample.uuid] = error.reason
            } catch {
                rejected[sample.uuid] = "The sample can’t be read."
            }
        }
        for (index, summary) in (batch.activitySummaries ?? []).enumerated() {
            guard let body = SyncObjectReader.summary(summary) else {
                throw Problem(.invalidBody, "“activitySummaries[\(index)].date” isn’t a date. Send it as YYYY-MM-DD.")
            }
            changes.summaries.append(body)
        }
        return changes
    }

    private mutating func add(_ sample: SyncSample, to changes: inout ReceivedChanges) throws {
        guard let type = TypeCatalog.description(for: sample.type) else {
            throw SyncSampleError("The type “\(sample.type.prefix(80))” is unknown to this version.")
        }
        let (start, end) = (sample.startDate.seconds, sample.endDate.seconds)
        let revision = revision(of: sample)
        var device: DeviceRecord?
        if let details = sample.deviceDetails { device = self.device(of: details) }
        let metadata = try SyncObjectReader.metadata(sample.metadata)
        switch type.kind {
        case .quantity:
            guard let value = sample.quantity, let unit = sample.unit else {
                throw SyncSampleError("A quantity sample needs “quantity” and “unit”.")
            }
            guard value.isFinite else { throw SyncSampleError("The quantity is not a number.") }
            changes.samples.append(
                SampleRecord(
                    uuid: sample.uuid, type: type.code, start: start, end: end, value: value, unit: unit,
                    revision: revision, device: device, metadata: metadata))
            if let series = sample.series { changes.series[sample.uuid] = Self.quantities(series) }
        case .category:
            guard let value = sample.value else { throw SyncSampleError("A category sample needs “value”.") }
            changes.samples.append(
                SampleRecord(
                    uuid: sample.uuid, type: type.code, start: start, end: end, value: Double(value),
                    revision: revision, device: device, metadata: metadata))
        case .characteristic, .activitySummary:
            throw SyncSampleError("The type “\(type.identifier)” has no samples.")
        case .correlation, .workout, .series, .document:
            changes.objects.append(
                ObjectRecord(
                    uuid: sample.uuid, type: type.code, start: start, end: end, revision: revision, device: device,
                    metadata: metadata, body: try SyncObjectReader.body(of: sample, kind: type.kind)))
        }
        if let members = sample.members, !members.isEmpty { changes.members[sample.uuid] = members }
    }

    private static func quantities(_ series: [String: SyncColumn]) -> QuantitySeries {
        func column(_ name: String) -> [Double] { series[name]?.numbers ?? [] }
        return QuantitySeries(
            starts: column(SyncColumn.Quantities.starts), ends: column(SyncColumn.Quantities.ends),
            values: column(SyncColumn.Quantities.values))
    }

    // MARK: Sources and devices, each converted once

    private mutating func revision(of sample: SyncSample) -> SourceRevisionRecord {
        let key = RevisionKey(
            source: sample.source, bundleIdentifier: sample.bundleIdentifier, version: sample.sourceVersion,
            productType: sample.productType, system: sample.operatingSystemVersion)
        if let known = revisions[key] { return known }
        let numbers = (sample.operatingSystemVersion ?? "").split(separator: ".").map { Int($0) ?? 0 } + [0, 0, 0]
        let record = SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: sample.bundleIdentifier, name: sample.source),
            version: sample.sourceVersion, productType: sample.productType,
            operatingSystemVersion: OperatingSystemVersionRecord(
                major: numbers[0], minor: numbers[1], patch: numbers[2]))
        revisions[key] = record
        return record
    }

    private mutating func device(of details: SyncDeviceDetails) -> DeviceRecord {
        if let known = devices[details] { return known }
        let record = DeviceRecord(
            name: details.name, manufacturer: details.manufacturer, model: details.model,
            hardwareVersion: details.hardwareVersion, firmwareVersion: details.firmwareVersion,
            softwareVersion: details.softwareVersion, localIdentifier: details.localIdentifier,
            udiDeviceIdentifier: details.udiDeviceIdentifier)
        devices[details] = record
        return record
    }
}

/// Why a sample of a batch can't be converted. The reason contains no health data.
struct SyncSampleError: Error {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
