import Foundation
import HealthModel
import Synchronization

// The work behind the public calls, which perform it in the store's order of changes.
extension HKWorkoutBuilder {
    func beginning(_ start: Date) -> StoreWork<Void> {
        let instant = start.timeIntervalSinceReferenceDate
        return StoreWork(.writing) {
            try self.state.withLock { try $0.begin(at: instant) }
            // Zones are no reason to fail: the workout is recorded without them.
            let zones = (try? self.connection.personZones()) ?? [:]
            self.state.withLock { $0.personZones = zones }
            do {
                try self.didBegin()
            } catch {
                self.state.withLock { $0.cancelBeginning() }
                throw error
            }
            self.didChange()
        }
    }

    func settingZones(
        _ configuration: HKWorkoutZoneConfiguration?, of type: HKQuantityType
    ) -> StoreWork<Void> {
        changing { try $0.setZones(configuration?.record, of: type.identifier) }
    }

    func findingZones(of type: HKQuantityType) -> StoreWork<HKWorkoutZoneConfiguration?> {
        // After the changes before it, such as setting the zones.
        StoreWork(.writing) {
            let (zones, isFresh) = self.state.withLock { ($0.zones(of: type.identifier), $0.phase == .fresh) }
            guard WorkoutZoneRecord.types.contains(type.identifier) else {
                throw HKError.make(.errorInvalidArgument, "Type \(type.identifier) does not have workout zones.")
            }
            let found = try zones ?? (isFresh ? self.connection.personZones()[type.identifier] : nil)
            guard let configuration = found.flatMap({ HKWorkoutZoneConfiguration($0) }) else {
                throw HKError.make(.errorNoData, "No workout zones of type \(type.identifier) are available.")
            }
            return configuration
        }
    }

    func ending(_ end: Date) -> StoreWork<Void> {
        let instant = end.timeIntervalSinceReferenceDate
        return StoreWork(.writing) {
            self.willEnd()
            try self.state.withLock { try $0.end(at: instant) }
            self.didEnd(at: instant)
            self.didChange()
        }
    }

    func adding(_ samples: [HKSample]) -> StoreWork<Void> {
        StoreWork(.writing) {
            try self.state.withLock { try $0.validate(samples) }
            let stored = try self.connection.saveMembers(samples)
            let types = self.state.withLock { $0.append(stored) }
            self.didAddSamples(of: types)
        }
    }

    func adding(_ events: [HKWorkoutEvent]) -> StoreWork<Void> {
        let records = events.map(\.record)
        return StoreWork(.writing) {
            try self.state.withLock { try $0.add(records) }
            self.didAddEvents(records.count)
            self.didChange()
        }
    }

    func adding(_ activity: HKWorkoutActivity) -> StoreWork<Void> {
        let record = activity.record
        return changing { try $0.add(record) }
    }

    func adding(_ metadata: [String: Any]) -> StoreWork<Void> {
        // Converted here: a dictionary of any values cannot be passed to another thread.
        let converted = Result { try MetadataDictionary.record(of: metadata) }
        return changing { try $0.merge(converted.get()) }
    }

    func updating(_ uuid: UUID, end: Date) -> StoreWork<Void> {
        let instant = end.timeIntervalSinceReferenceDate
        return changing { try $0.update(uuid, end: instant) }
    }

    func updating(_ uuid: UUID, adding metadata: [String: Any]) -> StoreWork<Void> {
        let converted = Result { try MetadataDictionary.record(of: metadata) }
        return changing { try $0.update(uuid, adding: converted.get()) }
    }

    /// Changes what was collected.
    private func changing(
        _ change: @escaping @Sendable (inout WorkoutBuilderState) throws -> Void
    ) -> StoreWork<Void> {
        StoreWork(.writing) {
            try self.state.withLock { try change(&$0) }
            self.didChange()
        }
    }

    func finishing() -> StoreWork<HKWorkout?> {
        StoreWork(.writing) {
            try self.state.withLock { try $0.beginFinishing() }
            let (route, heartbeats) = self.series.withLock { ($0.route, $0.heartbeats) }
            do {
                let parts: [HKSample?] = [try route?.finishedPart(), try heartbeats?.finishedPart()]
                let workout = try self.connection.save(
                    self.state.withLock { $0 }, device: self.device, parts: parts.compactMap { $0 })
                route?.conclude(isStored: true)
                heartbeats?.conclude(isStored: true)
                self.state.withLock { $0.conclude(isStored: true) }
                self.didChange()
                return self.connection.isLocked ? nil : workout
            } catch {
                route?.conclude(isStored: false)
                heartbeats?.conclude(isStored: false)
                self.state.withLock { $0.conclude(isStored: false) }
                throw error
            }
        }
    }
}
