import Foundation
import HealthFiles
import HealthModel

/// A `Record` or `Correlation` with its children, before conversion.
struct SampleElement {
    var fields: RecordFields
    var entries: [Metadata.Entry] = []
    /// The lists of heartbeats.
    var beats: [BeatList] = []
    /// The records in a correlation.
    var members: [Member] = []
    /// Descriptions of unknown attributes and children.
    var unknownContent: [String] = []
    /// The entries for unknown attributes and children.
    var others: [Metadata.Entry] = []
    /// The offset just past the element.
    var end: Int

    /// A record in a correlation, with its offset.
    struct Member {
        var outcome: RecordOutcome
        var offset: Int
        /// The entries for its unknown attributes and children.
        var others: [Metadata.Entry]
    }

    /// Keeps an entry for unknown content.
    mutating func preserve(_ entry: Metadata.Entry) {
        entries.append(entry)
        if entry.key.hasPrefix(MetadataKey.archivedPrefix) { others.append(entry) }
    }

    /// Moves the lists of heartbeats to the metadata, for a sample that cannot have a separate series.
    mutating func preserveBeatsAsEntries() {
        entries += beats.map { ArchivedMetadata.child($0.element) }
        beats = []
    }

    enum Reading {
        case element(SampleElement)
        case needsMore
        case malformed(resume: Int, reason: String)
        /// The element exceeds the limit of parts.
        case tooManyParts
    }
}

/// The ranges of the known attributes of a `Record` or `Correlation`.
struct RecordFields {
    var type = ByteRange.none
    var sourceName = ByteRange.none
    var sourceVersion = ByteRange.none
    var device = ByteRange.none
    var unit = ByteRange.none
    var creationDate = ByteRange.none
    var startDate = ByteRange.none
    var endDate = ByteRange.none
    var value = ByteRange.none
    /// The indexes of unknown attributes.
    var others: [Int] = []
    /// The indexes of repeated known attributes.
    var repeated: [Int] = []

    /// Assigns a tag's attributes to fields. The first of two attributes with the same name is used.
    init(_ base: UnsafePointer<UInt8>, _ attributes: borrowing TagAttributes) {
        for index in 0..<attributes.count {
            let name = attributes[index].name
            guard let path = Self.path(base + name.start, name.count) else {
                others.append(index)
                continue
            }
            if self[keyPath: path].exists {
                repeated.append(index)
            } else {
                self[keyPath: path] = attributes[index].value
            }
        }
        if !sourceName.exists { takeEarlyName(base, attributes) }
    }

    /// The first versions of iOS 8 wrote `source` instead of `sourceName`.
    private mutating func takeEarlyName(_ base: UnsafePointer<UInt8>, _ attributes: borrowing TagAttributes) {
        for (place, index) in others.enumerated()
        where attributes[index].name.bytes(in: base).elementsEqual(SourceText.earlyAttribute.utf8) {
            sourceName = attributes[index].value
            others.remove(at: place)
            return
        }
    }

    /// The field for an attribute name.
    private static func path(
        _ name: UnsafePointer<UInt8>, _ length: Int
    ) -> WritableKeyPath<RecordFields, ByteRange>? {
        switch length {
        case 4:
            if memcmp(name, "type", 4) == 0 { return \.type }
            return memcmp(name, "unit", 4) == 0 ? \.unit : nil
        case 5: return memcmp(name, "value", 5) == 0 ? \.value : nil
        case 6: return memcmp(name, "device", 6) == 0 ? \.device : nil
        case 7: return memcmp(name, "endDate", 7) == 0 ? \.endDate : nil
        case 9: return memcmp(name, "startDate", 9) == 0 ? \.startDate : nil
        case 10: return memcmp(name, "sourceName", 10) == 0 ? \.sourceName : nil
        case 12: return memcmp(name, "creationDate", 12) == 0 ? \.creationDate : nil
        case 13: return memcmp(name, "sourceVersion", 13) == 0 ? \.sourceVersion : nil
        default: return nil
        }
    }
}

/// The result of converting a `Record`.
enum RecordOutcome {
    case sample(ParsedSample)
    /// The record is kept as markup under this identifier, because there is no column for its value. The reason, if
    /// it is to be reported, follows the identifier in a note and contains no value.
    case document(identifier: String, reason: String? = nil)
    /// The record is invalid. The reason contains no value.
    case invalid(type: String, reason: String)
    /// The record is counted as invalid, but kept as markup.
    case kept(type: String, reason: String)

    /// Whether nothing of the record is stored.
    var isInvalid: Bool { if case .invalid = self { true } else { false } }
}

/// The figures that archives of iOS 8 have of several measurements in one record, in place of a value or beside it.
struct RecordFigures {
    /// The value of the record: the average of a discrete type, the sum of a cumulative one.
    let value: String?
    /// The metadata of a sample of several quantities.
    let series: [Metadata.Entry]

    /// - Parameter entries: The metadata of the record with its unknown attributes, which the figures are among.
    init(_ entries: [Metadata.Entry], isCumulative: Bool) {
        func text(_ names: String...) -> String? {
            entries.lazy.compactMap { ArchivedMetadata.attribute(of: $0) }.first { names.contains($0.name) }?.value
        }
        func figure(_ key: String, _ text: String?) -> Metadata.Entry? {
            text.flatMap { DecimalText.parse($0) }.flatMap { $0.isFinite ? .init(key: key, value: .double($0)) : nil }
        }
        value = text(isCumulative ? "sum" : "average")
        guard !isCumulative, value != nil, let count = text("recordCount").flatMap({ Int64($0) }), count > 1,
            let minimum = figure(MetadataKey.seriesMinimum, text("min", "minimum")),
            let maximum = figure(MetadataKey.seriesMaximum, text("max", "maximum"))
        else {
            series = []
            return
        }
        series = [.init(key: MetadataKey.seriesCount, value: .integer(count)), minimum, maximum]
    }
}

/// A record that is stored in pages, with its type, unit, source and device as numbers of this import.
struct ParsedSample {
    /// The index in ``TypeTable``.
    var type: Int
    var start: Double
    var end: Double
    var value: Double
    var unit: UInt32
    var revision: UInt32
    var device: UInt32
    /// NaN if the record has no creation date.
    var creation: Double
    var metadata: Metadata
}
