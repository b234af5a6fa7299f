// A file that imports only HealthKit sees Foundation too, as with the original.
@_exported public import Foundation
import Synchronization

/// Access to a person's health data: authorization, saving, deleting and queries.
///
/// All stores of a process with the same file share one engine. A store may be used from any thread.
/// Completion handlers run on a background queue, each exactly once. A long-running query runs until it is
/// stopped, even if the store that executed it is released.
// Unchecked: every stored property is constant and Sendable.
open class HKHealthStore: NSObject, _CVarArgObject, @unchecked Sendable {
    final let connection: StoreConnection
    final let mirroring = MirroringHandler()

    /// Creates a connection to the default store: see
    /// ``Configuration-swift.struct/init(location:application:authorization:clock:calendar:)``. The store is
    /// opened on first use; the calls that need it report errors.
    public override init() {
        connection = StoreConnection(Configuration())
        super.init()
        connection.preferences.setPoster(self)
    }

    /// Creates a connection to the store of a configuration. Not part of Apple's API.
    public init(configuration: Configuration) {
        connection = StoreConnection(configuration)
        super.init()
        connection.preferences.setPoster(self)
    }

    /// A Boolean value that indicates whether calls may be overridden. The async form of a save then goes through the
    /// one with a completion handler, as every other async form does, because in the original both are one method.
    private var isSubclass: Bool { type(of: self) != HKHealthStore.self }

    /// Whether health data is available on this machine: always `true`, except in tests of `HealthTesting`.
    open class func isHealthDataAvailable() -> Bool { DeviceAvailability.isAvailable }

    /// Whether clinical records can be read: always `true`.
    open func supportsHealthRecords() -> Bool { true }

    /// The earliest end of a sample: there is no limit.
    open func earliestPermittedSampleDate() -> Date { .distantPast }

    /// Starts a query. Its handlers are called until it ends or is stopped.
    ///
    /// A query that is invalid for its type, or was executed before, ends the process.
    open func execute(_ query: HKQuery) {
        query.execute(on: connection)
    }

    /// Stops a query: none of its handlers is called from now on.
    open func stop(_ query: HKQuery) {
        query.stop()
    }

    // MARK: Save

    /// Saves an object. See ``save(_:withCompletion:)-([HKObject],_)``.
    @preconcurrency
    open func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    /// Saves objects, all or none, in the given order.
    ///
    /// Fails with ``HKError/errorAuthorizationNotDetermined`` or ``HKError/errorAuthorizationDenied``
    /// if one of the types may not be written, and with ``HKError/errorInvalidArgument`` if an object is
    /// already stored. An object whose sync identifier is stored with the same or a newer version is ignored.
    @preconcurrency
    open func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.saving(objects)) { completion($0.isSuccess, $0.error) }
    }

    /// Saves an object. See ``save(_:withCompletion:)-([HKObject],_)``.
    open func save(_ object: HKObject) async throws {
        if isSubclass { return try await succeeding { save(object, withCompletion: $0) } }
        try await connection.perform(connection.saving([object]))
    }

    /// Saves objects, all or none. See ``save(_:withCompletion:)-([HKObject],_)``.
    open func save(_ objects: [HKObject]) async throws {
        if isSubclass { return try await succeeding { save(objects, withCompletion: $0) } }
        try await connection.perform(connection.saving(objects))
    }

    // MARK: Samples of a workout

    /// Adds samples to a stored workout. Samples that are not stored yet are saved, without a device.
    @preconcurrency
    open func add(
        _ samples: [HKSample], to workout: HKWorkout,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.addingMembers(samples, to: workout)) { completion($0.isSuccess, $0.error) }
    }

    /// Adds samples to a stored workout. See ``add(_:to:completion:)``.
    open func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
        try await succeeding { add(samples, to: workout, completion: $0) }
    }

    // MARK: Delete

    /// Deletes an object that this application saved. See ``delete(_:withCompletion:)-([HKObject],_)``.
    @preconcurrency
    open func delete(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    /// Deletes objects that this application saved, all or none.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` if one is not in the store or the array is empty, and with
    /// an authorization error if one of the types may not be written.
    @preconcurrency
    open func delete(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.deleting(objects.map(\.uuid))) { completion($0.isSuccess, $0.error) }
    }

    /// Deletes an object. See ``delete(_:withCompletion:)-([HKObject],_)``.
    open func delete(_ object: HKObject) async throws {
        try await succeeding { delete(object, withCompletion: $0) }
    }

    /// Deletes objects, all or none. See ``delete(_:withCompletion:)-([HKObject],_)``.
    open func delete(_ objects: [HKObject]) async throws {
        try await succeeding { delete(objects, withCompletion: $0) }
    }

    /// Deletes this application's objects of a type that satisfy a predicate. The handler is called with the
    /// number of deleted objects.
    @preconcurrency
    open func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        let deletion = deletion(of: objectType, predicate)
        connection.perform(deletion) { completion($0.isSuccess, (try? $0.get()) ?? 0, $0.error) }
    }

    /// Deletes this application's objects of a type that satisfy a predicate.
    ///
    /// - Returns: The number of deleted objects.
    /// - Throws: ``HKError/errorAuthorizationDenied`` or ``HKError/errorAuthorizationNotDetermined`` if the application
    ///   may not write the type.
    @discardableResult
    open func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
        try await counting { deleteObjects(of: objectType, predicate: predicate, withCompletion: $0) }
    }

    // MARK: Authorization

    /// Whether the application may write samples of a type. Does not reveal whether it may read them.
    ///
    /// A correlation type is never determined, because authorization applies to its members' types; nor is any
    /// type when the store cannot be opened.
    open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        guard type is HKSampleType, !(type is HKCorrelationType) else { return .notDetermined }
        if case .allowAll = connection.configuration.authorization {
            return .sharingAuthorized
        }
        return (try? connection.decisions(about: [type]))?[type]?.sharingStatus ?? .notDetermined
    }

    /// Asks the person for permission to write and read the types that are not yet determined.
    ///
    /// Success means that every type is determined, not that anything was authorized. An empty request and
    /// types that cannot be requested end the process. Types with per-object authorization fail with
    /// ``HKError/errorInvalidArgument``.
    @preconcurrency
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let request = authorizationRequest(share: typesToShare ?? [], read: typesToRead ?? [])
        connection.perform(request) { completion($0.isSuccess, $0.error) }
    }

    /// Asks the person for permission. See ``requestAuthorization(toShare:read:completion:)``.
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws {
        try await succeeding { requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0) }
    }

    /// Asks the person for permission; a `nil` set requests nothing. The original's name for the async form of
    /// ``requestAuthorization(toShare:read:completion:)``.
    open func __requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?
    ) async throws {
        try await requestAuthorization(toShare: typesToShare ?? [], read: typesToRead ?? [])
    }

    /// Whether a request for these types would ask the person, because at least one is not determined.
    @preconcurrency
    open func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        let work = requestStatus(share: typesToShare, read: typesToRead)
        connection.perform(work) { completion((try? $0.get()) ?? .unknown, $0.error) }
    }

    /// Whether a request for these types would ask the person.
    open func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        try await awaiting {
            getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
        }
    }

    /// Asks on behalf of an extension. There are no extensions on this platform, so there is nothing to ask.
    @preconcurrency
    open func handleAuthorizationForExtension(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(StoreWork(.reading) {}) { completion($0.isSuccess, $0.error) }
    }

    /// Asks on behalf of an extension. See ``handleAuthorizationForExtension(completion:)``.
    open func handleAuthorizationForExtension() async throws {
        try await succeeding { handleAuthorizationForExtension(completion: $0) }
    }

    /// Asks the person which objects of a type with per-object authorization the application may read: vision
    /// prescriptions or medications. Every call asks about the objects that satisfy the predicate; permission
    /// for a medication includes its doses.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` for other types.
    @preconcurrency
    open func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(objectRequest(objectType, predicate)) { completion($0.isSuccess, $0.error) }
    }

    /// Asks the person which objects the application may read. See
    /// ``requestPerObjectReadAuthorization(for:predicate:completion:)``.
    open func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?
    ) async throws {
        try await succeeding {
            requestPerObjectReadAuthorization(for: objectType, predicate: predicate, completion: $0)
        }
    }

    /// The start of the history that the person limited the application to, for each of the types that has such a
    /// limit. Samples that end before it are left out of every query without an error. A type without a limit and a
    /// type that may not be read are both absent.
    @preconcurrency
    open func getEarliestAuthorizedSampleDate(
        for types: Set<HKObjectType>,
        completion: @escaping @Sendable ([HKObjectType: Date]?, (any Error)?) -> Void
    ) {
        connection.perform(connection.earliestSampleDates(of: types)) { completion(try? $0.get(), $0.error) }
    }

    /// The start of the history that the person limited the application to. See
    /// ``getEarliestAuthorizedSampleDate(for:completion:)``.
    open func earliestAuthorizedSampleDate(for types: Set<HKObjectType>) async throws -> [HKObjectType: Date] {
        try await awaiting { getEarliestAuthorizedSampleDate(for: types, completion: $0) } ?? [:]
    }

    // MARK: Background delivery

    /// Registers a type for background delivery. The registration is stored. `hk daemon` starts the program when data
    /// of the type arrives, if the person has told it with `hk background register` how.
    ///
    /// A running program is notified of every commit immediately, whatever the `frequency`. Observer queries
    /// of the type must call their completion handlers, or deliveries are repeated. Fails with
    /// ``HKError/errorInvalidArgument`` for types without samples of their own.
    @preconcurrency
    open func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(registration(type, frequency)) { completion($0.isSuccess, $0.error) }
    }

    /// Registers a type for background delivery. See
    /// ``enableBackgroundDelivery(for:frequency:withCompletion:)``.
    open func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency
    ) async throws {
        try await succeeding { enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0) }
    }

    /// Removes a registration, if any.
    @preconcurrency
    open func disableBackgroundDelivery(
        for type: HKObjectType, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.registering(type, nil)) { completion($0.isSuccess, $0.error) }
    }

    /// Removes a registration, if any.
    open func disableBackgroundDelivery(for type: HKObjectType) async throws {
        try await succeeding { disableBackgroundDelivery(for: type, withCompletion: $0) }
    }

    /// Removes all registrations of this application.
    @preconcurrency
    open func disableAllBackgroundDelivery(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.removingRegistrations()) { completion($0.isSuccess, $0.error) }
    }

    /// Removes all registrations of this application.
    open func disableAllBackgroundDelivery() async throws {
        try await succeeding { disableAllBackgroundDelivery(completion: $0) }
    }

    // MARK: Characteristics

    /// The date of birth: year, month and day of the Gregorian calendar, without a time.
    ///
    /// - Throws: ``HKError/errorNoData`` when it is not set or may not be read,
    ///   ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    open func dateOfBirthComponents() throws -> DateComponents {
        guard let day = try connection.dateOfBirth() else {
            throw HKError.make(.errorNoData, "No data available for the specified predicate.")
        }
        return DateComponents(
            calendar: Calendar(identifier: .gregorian), era: 1, year: day.year, month: day.month, day: day.day)
    }

    /// The date of birth at midnight in the current time zone. Use ``dateOfBirthComponents()`` instead.
    open func dateOfBirth() throws -> Date {
        let components = try dateOfBirthComponents()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = connection.configuration.calendar.timeZone
        guard let date = calendar.date(from: components) else {
            throw HKError.make(.errorNoData, "No data available for the specified predicate.")
        }
        return date
    }

    /// The biological sex; `.notSet` when it is unknown or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    open func biologicalSex() throws -> HKBiologicalSexObject {
        HKBiologicalSexObject(try connection.characteristic(.biologicalSex) ?? .notSet)
    }

    /// The sex whose reference ranges are used to classify the person's measurements; `.notSet` when it is unknown. It
    /// may differ from ``biologicalSex()``. Beta: part of the beta of iOS 27.3.
    ///
    /// - Throws: ``HKError/errorAuthorizationDenied`` if it may not be read,
    ///   ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    open var referenceSex: HKReferenceSex {
        get throws { try connection.referenceSex() ?? .notSet }
    }

    /// The blood type; `.notSet` when it is unknown or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    open func bloodType() throws -> HKBloodTypeObject {
        HKBloodTypeObject(try connection.characteristic(.bloodType) ?? .notSet)
    }

    /// The skin type on Fitzpatrick's scale; `.notSet` when it is unknown or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    open func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
        HKFitzpatrickSkinTypeObject(try connection.characteristic(.fitzpatrickSkinType) ?? .notSet)
    }

    /// Whether the person uses a wheelchair; `.notSet` when it is unknown or may not be read.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    open func wheelchairUse() throws -> HKWheelchairUseObject {
        HKWheelchairUseObject(try connection.characteristic(.wheelchairUse) ?? .notSet)
    }

    /// The move mode: active energy, unless the person chose move time.
    ///
    /// - Throws: ``HKError/errorAuthorizationNotDetermined`` if the application never requested it.
    open func activityMoveMode() throws -> HKActivityMoveModeObject {
        HKActivityMoveModeObject(try connection.characteristic(.activityMoveMode) ?? .activeEnergy)
    }

    // MARK: Preferred units

    /// The unit to display each type in: the person's choice, else the usual one of the region.
    ///
    /// Fails with ``HKError/errorAuthorizationNotDetermined`` if the application never requested one of the
    /// types.
    @preconcurrency
    open func preferredUnits(
        for quantityTypes: Set<HKQuantityType>,
        completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        connection.perform(connection.preferredUnits(of: quantityTypes)) {
            completion((try? $0.get()) ?? [:], $0.error)
        }
    }

    /// The unit to display each type in. See ``preferredUnits(for:completion:)``.
    open func preferredUnits(
        for quantityTypes: Set<HKQuantityType>
    ) async throws -> [HKQuantityType: HKUnit] {
        try await awaiting { preferredUnits(for: quantityTypes, completion: $0) }
    }

    /// The zones in which the workouts of the person are measured: heart rate in zones that the person set, else in
    /// five that are calculated from the person's age; cycling power only in zones that the person set. `nil` for a
    /// type without zones.
    open func preferredWorkoutZoneConfiguration(
        for quantityType: HKQuantityType
    ) async throws -> HKWorkoutZoneConfiguration? {
        try await connection.perform(connection.preferredZones(of: quantityType))
    }

    // MARK: Energy and effort

    /// Splits the energy burned in a period into resting energy and active energy.
    ///
    /// The resting energy is computed from the person's age, sex, height and weight with the Harris–Benedict equations
    /// of 1919, whose coefficients are rounded; it is never more than the total. What is unknown or may not be read is
    /// replaced by a default: 30 years, 170 cm, 70 kg, and the equation for women. Fails with
    /// ``HKError/errorInvalidArgument`` if the start date is after the end date or the total is not an energy.
    ///
    /// - Parameter resultsHandler: Receives the resting energy, the active energy and an error.
    @preconcurrency
    open func splitTotalEnergy(
        _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
        resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
    ) {
        let work = StoreWork(.reading) { try self.split(totalEnergy, startDate, endDate) }
        connection.perform(work) { result in
            let parts = try? result.get()
            resultsHandler(parts?.resting, parts?.active, result.error)
        }
    }

    /// Relates an effort sample to a workout or to one of its activities, and saves the sample if necessary.
    ///
    /// The workout must be stored; it may be of any source. Fails with ``HKError/errorInvalidArgument`` unless the
    /// sample is of the type `workoutEffortScore` or `estimatedWorkoutEffortScore`, and for an activity of another
    /// workout.
    @preconcurrency
    open func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.relating(sample, to: workout, activity)) { completion($0.isSuccess, $0.error) }
    }

    /// Relates an effort sample to a workout. See ``relateWorkoutEffortSample(_:with:activity:completion:)``.
    ///
    /// - Returns: `true`.
    @discardableResult
    open func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await awaiting { relateWorkoutEffortSample(sample, with: workout, activity: activity, completion: $0) }
    }

    /// Removes the relationship of an effort sample to a workout or to one of its activities. The sample remains.
    /// Fails with ``HKError/errorInvalidArgument`` if there is no such relationship.
    @preconcurrency
    open func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(connection.unrelating(sample, from: workout, activity)) {
            completion($0.isSuccess, $0.error)
        }
    }

    /// Removes the relationship of an effort sample to a workout. See
    /// ``unrelateWorkoutEffortSample(_:from:activity:completion:)``.
    ///
    /// - Returns: `true`.
    @discardableResult
    open func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await awaiting { unrelateWorkoutEffortSample(sample, from: workout, activity: activity, completion: $0) }
    }

    // MARK: Workout sessions

    /// Returns this application's running session on the store. After a crash it is recreated from its record in
    /// the store, with its builder, whose samples are those of its types saved since it began; predicates of its
    /// data source are lost. The handler receives `nil` if no session is running.
    @preconcurrency
    open func recoverActiveWorkoutSession(
        completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
    ) {
        connection.perform(StoreWork(.writing) { try HKWorkoutSession.recovered(self) }) {
            completion((try? $0.get()) ?? nil, $0.error)
        }
    }

    /// Returns this application's running session on the store. See
    /// ``recoverActiveWorkoutSession(completion:)``.
    open func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
        try await awaiting { recoverActiveWorkoutSession(completion: $0) }
    }

    /// Starts the application on a watch. Fails with ``HKError/errorInvalidArgument`` without a watch, which only a test
    /// has.
    @preconcurrency
    open func startWatchApp(
        with workoutConfiguration: HKWorkoutConfiguration,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let availability = connection.configuration.openEngine?.availability
        let starting = StoreWork<Void>(.reading) {
            guard let startWatchApp = availability?.startWatchApp.withLock({ $0 }) else {
                throw HKError.make(.errorInvalidArgument, "No watch is paired with this device.")
            }
            startWatchApp(workoutConfiguration)
        }
        connection.perform(starting) { completion($0.isSuccess, $0.error) }
    }

    /// Starts the application on a watch. See ``startWatchApp(with:completion:)``.
    open func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
        try await succeeding { startWatchApp(with: workoutConfiguration, completion: $0) }
    }

    /// A handler of sessions that a watch mirrors to this device, on a background queue. Set it early, and the session's
    /// delegate in it. Only a test has a watch.
    @preconcurrency
    open var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
        get { mirroring.handler }
        set { mirroring.handler = newValue }
    }

    /// Starts a session. One that is running or has ended ends the process.
    @available(*, deprecated, message: "Use HKWorkoutSession.startActivity(with:).")
    open func start(_ workoutSession: HKWorkoutSession) {
        guard [.notStarted, .prepared].contains(workoutSession.state) else {
            ProgrammerError.raise("A workout session that is running or has ended cannot be started")
        }
        workoutSession.adopt { connection }
        workoutSession.startActivity(with: nil)
    }

    /// Ends a session. One that is not running ends the process.
    @available(*, deprecated, message: "Use HKWorkoutSession.end().")
    open func end(_ workoutSession: HKWorkoutSession) {
        guard [.running, .paused, .stopped].contains(workoutSession.state) else {
            ProgrammerError.raise("A workout session that is not running cannot be ended")
        }
        workoutSession.end()
    }

    /// Pauses a running session.
    @available(*, deprecated, message: "Use HKWorkoutSession.pause().")
    open func pause(_ workoutSession: HKWorkoutSession) {
        workoutSession.pause()
    }

    /// Resumes a paused session.
    @available(*, deprecated, message: "Use HKWorkoutSession.resume().")
    open func resumeWorkoutSession(_ workoutSession: HKWorkoutSession) {
        workoutSession.resume()
    }

    // MARK: Estimates

    /// Recalibrates the estimates of a type from a date. A watch makes estimates; on this platform there are none,
    /// so nothing changes.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` for a type without estimates
    /// (``HKSampleType/allowsRecalibrationForEstimates``) and for a date in the future.
    @preconcurrency
    open func recalibrateEstimates(
        sampleType: HKSampleType, date: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(recalibration(sampleType, date)) { completion($0.isSuccess, $0.error) }
    }

    /// Recalibrates the estimates of a type from a date. See ``recalibrateEstimates(sampleType:date:completion:)``.
    open func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
        try await succeeding { recalibrateEstimates(sampleType: sampleType, date: date, completion: $0) }
    }
}
