public import Foundation

/// Which samples or objects a query wants: comparisons joined by and, or, not.
///
/// The API layer makes it from a predicate; the engine takes time bounds out of it to pick pages and
/// evaluates the rest on columns or object rows. A field that a type does not have never matches.
public indirect enum SampleFilter: Hashable, Sendable {
    /// Everything.
    case all
    /// Nothing, whatever the sample.
    case nothing
    /// Each of the filters; everything where there is none.
    case and([SampleFilter])
    /// At least one of the filters; nothing where there is none.
    case or([SampleFilter])
    /// What the filter does not match.
    case not(SampleFilter)

    /// Start or end against an instant, in seconds since 2001.
    case start(ComparisonOperator, Double)
    /// The end against an instant, in seconds since 2001.
    case end(ComparisonOperator, Double)
    /// End minus start, or a workout's duration without pauses, in seconds.
    case duration(ComparisonOperator, Double)
    /// A quantity sample's value; the comparison converts to the given unit first.
    case quantity(ComparisonOperator, QuantityRecord)
    /// A category sample's value.
    case category(ComparisonOperator, Int)
    /// Identity is one of these.
    case uuid(Set<UUID>)
    /// The source's bundle identifier is one of these.
    case source(Set<SourceRecord>)
    /// The revision agrees with one of these patterns.
    case revision([RevisionPattern])
    /// The device is one of these, every property equal, missing ones included.
    case device(Set<DeviceRecord>)
    /// A device property is one of the values; an empty set asks for a missing property.
    case deviceProperty(DeviceProperty, Set<String>)
    /// A metadata key is present.
    case metadataPresent(String)
    /// A metadata value compared with another of its kind. A missing key satisfies only `notEqual`.
    case metadata(String, ComparisonOperator, MetadataValue)
    /// A metadata value is one of these.
    case metadataIn(String, [MetadataValue])
    /// The sample belongs to no correlation.
    case noCorrelation
    /// The sample belongs to this workout (or other owning object).
    case memberOf(UUID)
    /// Stands in an effort relationship of this workout, and of this activity of it where one is given:
    /// as one of the effort samples, or as the workout itself.
    case effortRelated(workout: UUID, activity: UUID?)
    /// A workout field.
    case workoutActivityType(ComparisonOperator, UInt)
    /// A workout's total; the comparison converts to the given unit first.
    case workoutTotal(WorkoutTotal, ComparisonOperator, QuantityRecord)
    /// A workout's statistic of one quantity type.
    case workoutStatistic(type: TypeCode, WorkoutStatistic, ComparisonOperator, QuantityRecord)
    /// One of the workout's activities agrees with the filter (duration, dates, type, statistics).
    case anyActivity(SampleFilter)
    /// An activity summary's day, as year · 10000 + month · 100 + day.
    case summaryDay(ComparisonOperator, Int)
    /// A document's field compared with a value of its kind; a missing field satisfies only `notEqual`.
    case field(String, ComparisonOperator, FieldValue)
    /// A document's list field has the value among its elements.
    case fieldContains(String, FieldValue)
}
