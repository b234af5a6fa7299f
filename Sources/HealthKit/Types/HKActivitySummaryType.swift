/// The kind of object a day's activity rings are.
// Unchecked: adds no stored property to its superclass.
open class HKActivitySummaryType: HKObjectType, @unchecked Sendable {
}
