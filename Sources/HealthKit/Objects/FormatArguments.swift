public import Foundation

// Arguments of `%@`, in `String(format:)`, `NSLog` and predicates. With the original every object is one, because
// `NSObject` itself is a `CVarArg` there; here each class says so. The argument is the object's description.

extension _CVarArgObject where Self: NSObject {
    public var _cVarArgObject: any CVarArg { description as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
    public var _cVarArgObject: any CVarArg { description as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
    public var _cVarArgObject: any CVarArg { uuidString as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSUUID: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject {}

extension HKActivityMoveModeObject: _CVarArgObject {}
extension HKActivitySummary: _CVarArgObject {}
extension HKAttachment: _CVarArgObject {}
extension HKAttachmentStore: _CVarArgObject {}
extension HKAudiogramSensitivityPoint: _CVarArgObject {}
extension HKAudiogramSensitivityPointClampingRange: _CVarArgObject {}
extension HKAudiogramSensitivityTest: _CVarArgObject {}
extension HKBiologicalSexObject: _CVarArgObject {}
extension HKBloodTypeObject: _CVarArgObject {}
extension HKCDADocument: _CVarArgObject {}
extension HKClinicalCoding: _CVarArgObject {}
extension HKDeletedObject: _CVarArgObject {}
extension HKDevice: _CVarArgObject {}
extension HKFHIRResource: _CVarArgObject {}
extension HKFHIRVersion: _CVarArgObject {}
extension HKFitzpatrickSkinTypeObject: _CVarArgObject {}
extension HKHealthConceptIdentifier: _CVarArgObject {}
extension HKHealthStore: _CVarArgObject {}
extension HKLensSpecification: _CVarArgObject {}
extension HKLiveWorkoutDataSource: _CVarArgObject {}
extension HKLiveWorkoutZoneUpdate: _CVarArgObject {}
extension HKMedicationConcept: _CVarArgObject {}
extension HKObject: _CVarArgObject {}
extension HKObjectType: _CVarArgObject {}
extension HKQuantity: _CVarArgObject {}
extension HKQuantitySeriesSampleBuilder: _CVarArgObject {}
extension HKQuery: _CVarArgObject {}
extension HKQueryAnchor: _CVarArgObject {}
extension HKQueryDescriptor: _CVarArgObject {}
extension HKSeriesBuilder: _CVarArgObject {}
extension HKSource: _CVarArgObject {}
extension HKSourceRevision: _CVarArgObject {}
extension HKStatistics: _CVarArgObject {}
extension HKStatisticsCollection: _CVarArgObject {}
extension HKUnit: _CVarArgObject {}
extension HKUserAnnotatedMedication: _CVarArgObject {}
extension HKVerifiableClinicalRecordSubject: _CVarArgObject {}
extension HKVisionPrism: _CVarArgObject {}
extension HKWheelchairUseObject: _CVarArgObject {}
extension HKWorkoutActivity: _CVarArgObject {}
extension HKWorkoutBuilder: _CVarArgObject {}
extension HKWorkoutConfiguration: _CVarArgObject {}
extension HKWorkoutEffortRelationship: _CVarArgObject {}
extension HKWorkoutEvent: _CVarArgObject {}
extension HKWorkoutSession: _CVarArgObject {}
