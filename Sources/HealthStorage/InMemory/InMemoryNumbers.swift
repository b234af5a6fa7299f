import HealthModel

/// The interned nouns' numbers, by noun: the other direction of `StoreDictionaries`.
struct InMemoryNumbers: Sendable {
    var sources: [SourceRecord: UInt32] = [:]
    var revisions: [SourceRevisionRecord: UInt32] = [:]
    var devices: [DeviceRecord: UInt32] = [:]
    var units: [String: UInt32] = [:]
    var types: [String: TypeCode] = [:]
}
